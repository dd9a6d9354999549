import HTTP

extension Connection {
  /// Sends the response to the request in work, and goes on to the next.
  func respond(_ response: HTTPResponse, to exchange: Exchange) {
    guard response.status != 0 else { return reset(exchange) }
    let response = (200...999).contains(response.status) ? response : loop.failure(500, exchange.id)
    closesAfterResponse = !exchange.keepsAlive || loop.isDraining
    loop.encoder.encode(response, to: exchange, keepsAlive: !closesAfterResponse)
    let bytes = loop.encoder.bytes
    loop.record(exchange, response)
    guard let sent = write(bytes, from: 0) else { return close() }
    if sent == bytes.count { return finishResponse() }
    unsent = UnsentResponse(bytes, sent: sent)
    state = .writing
    loop.deadlines.set(.response, for: id.descriptor, now: loop.now)
  }

  /// A response that comes later than its request: behind it, others may wait already.
  func respondLater(_ response: HTTPResponse, to exchange: Exchange) {
    guard state == .handling else { return }
    respond(response, to: exchange)
    advance()
  }

  /// Sends what is left of the response.
  func send() {
    guard let unsent else { return }
    guard let sent = write(unsent.bytes, from: unsent.sent) else { return close() }
    unsent.sent = sent
    guard sent == unsent.bytes.count else { return }
    self.unsent = nil
    finishResponse()
  }

  private func finishResponse() {
    if closesAfterResponse { return linger() }
    state = .reading
    loop.deadlines.set(.idle, for: id.descriptor, now: loop.now)
  }

  /// Closing at once would have the kernel answer bytes still on their way with a reset, and a reset
  /// destroys a response that the peer has not read (RFC 9112 section 9.6).
  private func linger() {
    state = .lingering
    pending = []
    tls?.finish()
    socket.finishWriting()
    isReadable = true
    loop.deadlines.set(.linger, for: id.descriptor, now: loop.now)
  }

  /// A response of status 0 is none: the connection breaks off.
  private func reset(_ exchange: Exchange) {
    loop.record(exchange, HTTPResponse(status: 0))
    socket.resetOnClose()
    close()
  }

  /// Sent when the peer asked for it and nothing else is on its way, so there is room for it.
  func sendContinue() {
    let bytes = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
    if write(bytes, from: 0) != bytes.count { close() }
  }

  /// How many of `bytes` are out, counted from their beginning; nil when the connection is broken.
  private func write(_ bytes: [UInt8], from start: Int) -> Int? {
    var position = start
    while position < bytes.count {
      let outcome = bytes.withUnsafeBytes { all in
        let rest = UnsafeRawBufferPointer(rebasing: all[position...])
        return if let tls { tls.write(rest) } else { socket.write(rest) }
      }
      switch outcome {
      case .bytes(let count): position += count
      case .blocked: return position
      case .broken: return nil
      }
    }
    return position
  }
}
