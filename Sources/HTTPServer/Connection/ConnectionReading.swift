import HTTP

extension Connection {
  /// Reads once, and has what came parsed.
  func read() {
    let outcome =
      if let tls, state == .reading { tls.read(into: loop.scratch) } else { socket.read(into: loop.scratch) }
    switch outcome {
    case .bytes(let count, let isDrained):
      isReadable = !isDrained || isPeerFinished
      guard state == .reading else { return }
      if pending.isEmpty {
        keepRest(of: UnsafeRawBufferPointer(rebasing: loop.scratch[..<count]))
      } else {
        pending.append(contentsOf: loop.scratch[..<count])
        parsePending()
      }
    case .blocked: isReadable = false
    case .ended: close()
    }
  }

  /// Parses what was kept.
  func parsePending() {
    let bytes = pending
    pending = []
    let taken = parse(bytes.span)
    guard canGoOn else { return }
    pending = taken == 0 ? bytes : Array(bytes[taken...])
  }

  private func keepRest(of bytes: UnsafeRawBufferPointer) {
    let taken = bytes.withMemoryRebound(to: UInt8.self) { parse($0.span) }
    if canGoOn, taken < bytes.count { pending = Array(bytes[taken...]) }
  }

  /// Whether bytes that were not taken will be looked at again.
  private var canGoOn: Bool { state != .closed && state != .lingering && !closesAfterResponse }

  /// Has every request that is complete answered, as far as that goes without waiting. How many bytes
  /// were taken.
  private func parse(_ bytes: Span<UInt8>) -> Int {
    var position = 0
    while state == .reading, position < bytes.count {
      let (taken, event) = consume(bytes.extracting(position...))
      position += taken
      switch event {
      case .needMore:
        if unfinished != nil || position < bytes.count { expectRest() }
        return position
      case .expectContinue:
        expectRest()
        sendContinue()
      case .request(let request, let keepsAlive, let isVersion11):
        unfinished = nil
        let exchange = exchange(method: request.method, keepsAlive: keepsAlive, isVersion11: isVersion11)
        handle(request, exchange)
      case .refuse(let refusal, let method): refuse(status: refusal.status, method: method)
      }
    }
    return position
  }

  /// Goes on with the request that has begun, or begins one; most come whole and need nothing kept.
  private func consume(_ bytes: Span<UInt8>) -> (taken: Int, event: RequestParser.Event) {
    if let unfinished { return unfinished.parser.consume(bytes) }
    var parser = RequestParser(limits: loop.limits)
    let result = parser.consume(bytes)
    switch result.event {
    case .needMore, .expectContinue: if parser.hasBegun { unfinished = UnfinishedRequest(parser) }
    case .request, .refuse: break
    }
    return result
  }

  /// Sets the deadline, unless an earlier byte of the request has.
  private func expectRest() {
    guard loop.deadlines.kind(of: id.descriptor) != .request else { return }
    loop.deadlines.set(.request, for: id.descriptor, now: loop.now)
  }

  private func exchange(method: HTTPMethod?, keepsAlive: Bool, isVersion11: Bool) -> Exchange {
    Exchange(
      connection: id, serial: loop.nextSerial(), id: loop.requestIDs.next(), method: method,
      keepsAlive: keepsAlive,
      isVersion11: isVersion11, startedAt: MonotonicClock.now())
  }

  /// Gives a request to the responder. One that is not suspended has answered when this returns.
  private func handle(_ request: HTTPRequest, _ exchange: Exchange) {
    state = .handling
    loop.deadlines.clear(id.descriptor)
    var request = request
    request.peer = peer
    request.id = exchange.id
    if let response = loop.start(request, exchange) { respond(response, to: exchange) }
  }

  /// Answers what cannot be read, as the last response.
  func refuse(status: Int, method: HTTPMethod?) {
    unfinished = nil
    let exchange = exchange(method: method, keepsAlive: false, isVersion11: true)
    respond(loop.failure(status, exchange.id), to: exchange)
  }
}
