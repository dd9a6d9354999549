import Glibc

/// One connection of a ``ScriptedServer``, used by its script's thread.
final class ScriptedConnection {
  private let descriptor: Int32
  private let record: (ScriptedRequest) -> Void
  private var received: [UInt8] = []

  init(descriptor: Int32, record: @escaping (ScriptedRequest) -> Void) {
    self.descriptor = descriptor
    self.record = record
  }

  /// The next request, all of it; nil once the client closed the connection.
  func readRequest() -> ScriptedRequest? {
    let end = Array("\r\n\r\n".utf8)
    var head: Range<Int>?
    while head == nil {
      head = received.firstRange(of: end)
      guard head != nil || receive() else { return nil }
    }
    guard let head else { return nil }
    let lines = String(decoding: received[..<head.lowerBound], as: UTF8.self)
      .split(separator: "\r\n").map(String.init)
    let bare = ScriptedRequest(lines: lines, body: [])
    let length = bare.values(of: "content-length").first.flatMap { Int($0) } ?? 0
    while received.count < head.upperBound + length { guard receive() else { return nil } }
    let request = ScriptedRequest(
      lines: lines, body: Array(received[head.upperBound..<head.upperBound + length]))
    received.removeFirst(head.upperBound + length)
    record(request)
    return request
  }

  /// Sends `text`; false once the client closed the connection.
  @discardableResult func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Sends `bytes`; false once the client closed the connection.
  @discardableResult func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Answers each request with what `reply` makes of it, until the client closes the connection.
  func answerAll(_ reply: (ScriptedRequest) -> String) {
    while let request = readRequest() { guard write(reply(request)) else { return } }
  }

  /// Reads on until the client closes the connection.
  func waitUntilClosed() { while receive() { received.removeAll() } }

  /// Makes the end of the script reset the connection rather than close it.
  func resetAtEnd() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  private func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 { received += buffer[..<count] }
    return count > 0
  }
}

/// A reply that keeps the connection.
func reply(_ status: String = "200 OK", _ body: String = "ok") -> String {
  "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
}
