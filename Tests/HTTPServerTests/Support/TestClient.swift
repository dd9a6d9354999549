import Glibc

@testable import HTTPServer

/// A response as it came.
struct Reply: Equatable, Sendable {
  let status: Int
  let head: String
  let body: [UInt8]

  var text: String { String(decoding: body, as: UTF8.self) }

  /// The value of a field.
  func field(_ name: String) -> String? {
    for line in head.split(separator: "\r\n").dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts[0].lowercased() == name.lowercased() { return String(parts[1].drop { $0 == " " }) }
    }
    return nil
  }
}

/// A TCP client that blocks; it waits a minute at most: a test that starves for processor time must not fail.
final class TestClient: Sendable {
  enum Failure: Error {
    case cannotConnect(Int32)
    case reset
    case timedOut
    case endedEarly(String)
  }

  private let descriptor: Int32

  /// An open socket that is not connected yet.
  init(family: Int32 = AF_INET) {
    descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  /// A connected one.
  convenience init(_ server: HTTPServer) throws {
    self.init(family: server.address.host.contains(":") ? AF_INET6 : AF_INET)
    try connect(server)
  }

  deinit { close(descriptor) }

  func connect(_ server: HTTPServer) throws {
    for address in try SocketAddress.resolve(host: server.address.host, port: server.address.port) {
      guard address.connect(descriptor) else { throw Failure.cannotConnect(errno) }
    }
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

  /// Tells the server that nothing more comes.
  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Breaks the connection off.
  func reset() {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    var nowhere = sockaddr()
    nowhere.sa_family = sa_family_t(AF_UNSPEC)
    _ = Glibc.connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
  }

  /// Whether anything can be read within so long.
  func hasInput(milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, milliseconds) > 0
  }

  /// What comes until the server ends the connection.
  func readToEnd() throws -> [UInt8] {
    var all: [UInt8] = []
    while let bytes = try receive(65_536) { all += bytes }
    return all
  }

  /// Whether the server has ended the connection, everything having been read.
  func isAtEnd() throws -> Bool { try receive(1) == nil }

  /// Sends a request and reads the response.
  func exchange(_ text: String, hasBody: Bool = true) throws -> Reply {
    send(text)
    return try readReply(hasBody: hasBody)
  }

  /// Reads one response.
  func readReply(hasBody: Bool = true) throws -> Reply {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard let byte = try receive(1) else { throw Failure.endedEarly(String(decoding: head, as: UTF8.self)) }
      head += byte
    }
    let text = String(decoding: head, as: UTF8.self)
    let words = text.split(separator: " ")
    let reply = Reply(status: words.count > 1 ? Int(words[1]) ?? 0 : 0, head: text, body: [])
    guard hasBody, let length = reply.field("Content-Length").flatMap({ Int($0) }) else { return reply }
    var body: [UInt8] = []
    while body.count < length {
      guard let more = try receive(length - body.count) else { throw Failure.endedEarly(text) }
      body += more
    }
    return Reply(status: reply.status, head: text, body: body)
  }

  private func receive(_ limit: Int) throws -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = recv(descriptor, &buffer, limit, 0)
    guard count < 0 else { return count == 0 ? nil : Array(buffer[..<count]) }
    throw errno == EAGAIN ? Failure.timedOut : Failure.reset
  }
}

extension SocketAddress {
  /// Connects a socket to it.
  func connect(_ descriptor: Int32) -> Bool {
    withSockaddr { Glibc.connect(descriptor, $0, $1) } == 0
  }
}
