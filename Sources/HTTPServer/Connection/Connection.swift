import HTTP

/// One connection: reads requests, has them answered one after the other, writes the responses.
///
/// Follow a request: ``becameReady(readable:writable:peerFinished:)`` → `read()` → `parse(_:)` → `handle(_:_:)`
/// → ``EventLoop/start(_:_:)`` → ``respond(_:to:)`` → `send()` → `finishResponse()`. An idle connection holds
/// no buffer. Belongs to its loop's thread.
final class Connection {
  /// What the connection is doing.
  enum State {
    /// TLS is being agreed on.
    case handshaking
    /// Waits for a request or for the rest of one.
    case reading
    /// A responder has the request; nothing is read meanwhile.
    case handling
    /// The peer has not taken the whole response yet; nothing is read meanwhile.
    case writing
    /// The last response is out; what still comes is dropped.
    case lingering
    /// The socket is closed.
    case closed
  }

  let loop: EventLoop
  let id: ConnectionID
  let socket: StreamSocket
  let tls: TLSSession?
  let peer: String
  var state: State
  /// There may be something to read: epoll reports it once only.
  var isReadable = true
  /// The peer sends no more behind what is still to be read.
  var isPeerFinished = false
  /// The response on its way is the last.
  var closesAfterResponse = false
  /// A request that has come in part.
  var unfinished: UnfinishedRequest?
  /// Bytes that came and were not taken: the beginning of a line, or requests behind one in work.
  var pending: [UInt8] = []
  /// A response that went out in part.
  var unsent: UnsentResponse?

  init(_ accepted: AcceptedConnection, id: ConnectionID, tls: TLSSession?, loop: EventLoop) {
    self.loop = loop
    self.id = id
    self.tls = tls
    socket = StreamSocket(descriptor: accepted.descriptor)
    peer = accepted.peer
    state = tls == nil ? .reading : .handshaking
  }

  /// Nothing of a request has come.
  var isIdle: Bool { state == .reading && unfinished == nil && pending.isEmpty }

  /// The connection is new.
  func begin() {
    loop.deadlines.set(tls == nil ? .idle : .request, for: id.descriptor, now: loop.now)
    advance()
  }

  /// The kernel reported a change. TLS may have to read in order to write, and the other way round.
  func becameReady(readable: Bool, writable: Bool, peerFinished: Bool) {
    if readable || tls != nil { isReadable = true }
    if peerFinished { isPeerFinished = true }
    if state == .writing, writable || tls != nil { send() }
    advance()
  }

  /// A deadline has passed.
  func expired(_ kind: Deadlines.Kind) {
    guard kind == .request, state == .reading, !isIdle else { return close() }
    refuse(status: 408, method: unfinished?.parser.method)
    advance()
  }

  /// The server shuts down: an idle connection ends, unless a request has just come.
  func drain() {
    if state == .reading, isIdle {
      isReadable = true
      advance()
    }
    if isIdle || state == .handshaking { close() }
  }

  /// Goes on with whatever is possible now.
  func advance() {
    if state == .handshaking { handshake() }
    if state == .reading, !pending.isEmpty { parsePending() }
    var turns = 16
    while isReadable, state == .reading || state == .lingering {
      guard turns > 0 else { return loop.postLocally(.proceed(id)) }
      turns -= 1
      read()
    }
  }

  private func handshake() {
    guard let tls else { return }
    switch tls.handshake() {
    case .done: state = .reading
    case .blocked: break
    case .failed: close()
    }
  }

  /// Closes at once.
  func close() {
    guard state != .closed else { return }
    state = .closed
    pending = []
    unfinished = nil
    unsent = nil
    tls?.finish()
    socket.close()
    loop.forget(self)
  }
}

/// What an incomplete request needs until the rest comes.
final class UnfinishedRequest {
  var parser: RequestParser
  init(_ parser: RequestParser) { self.parser = parser }
}

/// What an incomplete response needs until the peer takes the rest.
final class UnsentResponse {
  let bytes: [UInt8]
  var sent: Int
  init(_ bytes: [UInt8], sent: Int) {
    self.bytes = bytes
    self.sent = sent
  }
}
