import Glibc
import HTTP
import Primitives
import Synchronization

/// One thread that waits for its connections' events and runs their responders' code: a `TaskExecutor`,
/// so that a responder is continued where its connection lives.
final class EventLoop: TaskExecutor, @unchecked Sendable {
  // Unchecked: other threads reach only the mailbox, the poller's `wakeUp` and the atomic `thread`;
  // everything that varies is touched by the loop's own thread alone.

  let limits: HTTPServerLimits
  let responder: any Responder
  let log: Log
  let failure: @Sendable (_ status: Int, _ requestID: String) -> HTTPResponse
  let admission: Admission
  let certificates: TLSContextHolder?
  let poller: Poller
  private let mailbox = Mailbox()
  private let thread = Atomic<UInt>(0)

  /// Where reads go; parsed before the next one.
  let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 64)
  var encoder = ResponseEncoder()
  var deadlines: Deadlines
  var requestIDs: RequestIDs
  /// The moment of this turn, by ``MonotonicClock``.
  private(set) var now = MonotonicClock.now()
  var isDraining = false
  var drainsUntil = Int64.max
  /// On the one loop that accepts.
  var acceptor: Acceptor?
  /// That loop; set before the threads start.
  var acceptingLoop: EventLoop?
  /// By descriptor.
  var connections: [Connection?] = []
  var openCount = 0
  var generation: UInt32 = 0
  var serial: UInt64 = 0
  /// The tasks of suspended requests, by serial.
  var running: [UInt64: Task<Void, Never>] = [:]
  /// A responder runs, and has not been suspended yet.
  var isStarting = false
  var immediateResponse: HTTPResponse?
  private var local: [Mail] = []
  private var batch: [Mail] = []

  init(
    configuration: HTTPServerConfiguration, responder: any Responder, log: Log, admission: Admission,
    certificates: TLSContextHolder?, failure: @escaping @Sendable (Int, String) -> HTTPResponse
  ) throws(HTTPServerError) {
    limits = configuration.limits
    self.responder = responder
    self.log = log
    self.admission = admission
    self.certificates = certificates
    self.failure = failure
    deadlines = Deadlines(limits: configuration.limits)
    requestIDs = RequestIDs(seed: UInt64.random(in: .min ... .max))
    poller = try Poller()
  }

  deinit { scratch.deallocate() }

  // MARK: - The loop

  /// Serves until drained, on the calling thread.
  func run() {
    thread.store(pthread_self(), ordering: .releasing)
    acceptor?.start(on: self)
    repeat {
      let count = poller.wait(milliseconds: waitingTime)
      now = MonotonicClock.now()
      for index in 0..<count { handle(poller.event(index)) }
      deliverMail()
      passDeadlines()
    } while !isDone
    end()
  }

  private var isDone: Bool { isDraining && (openCount == 0 && running.isEmpty || now >= drainsUntil) }

  /// Until the next thing to do; rounded up, or a loop would turn until its moment has come.
  private var waitingTime: Int32 {
    guard local.isEmpty else { return 0 }
    let moment = min(deadlines.next ?? .max, acceptor?.resumesAt ?? .max, drainsUntil)
    guard moment < .max else { return -1 }
    return Int32(clamping: max(0, moment - MonotonicClock.now() + 999) / 1000)
  }

  private func handle(_ event: Poller.Event?) {
    guard let event else { return }
    if event.token == Acceptor.token {
      acceptor?.accept(on: self)
      return
    }
    guard let connection = connection(ConnectionID(token: event.token)) else { return }
    guard !event.isBroken else { return connection.close() }
    connection.becameReady(
      readable: event.isReadable, writable: event.isWritable, peerFinished: event.isPeerFinished)
  }

  private func passDeadlines() {
    while let (slot, kind) = deadlines.takePassed(now: now) { connections[Int(slot)]?.expired(kind) }
    if let resumesAt = acceptor?.resumesAt, resumesAt <= now { acceptor?.resume(on: self) }
  }

  /// Connections that are still open are cut, and tasks told so. A task that goes on nevertheless is
  /// continued by whatever thread wakes it.
  private func end() {
    thread.store(0, ordering: .releasing)
    if openCount > 0 || !running.isEmpty {
      log.warning(
        "drain_cut",
        [("connections", .integer(Int64(openCount))), ("requests", .integer(Int64(running.count)))])
    }
    for connection in connections { connection?.close() }
    for task in running.values { task.cancel() }
    running = [:]
    release()
    for mail in mailbox.close() + local {
      switch mail {
      case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
      case .adopt(let accepted): close(accepted.descriptor)
      case .answer, .proceed, .resumeAccepting, .drain: break
      }
    }
    local = []
  }

  /// Undoes the ties between loops, which would keep each other; when none of them runs or this one ends.
  func release() {
    acceptor = nil
    acceptingLoop = nil
  }

  // MARK: - Mail

  /// Whether the caller runs on this loop's thread.
  var isCurrent: Bool { thread.load(ordering: .acquiring) == pthread_self() }

  /// Asks for something, from any thread.
  func post(_ mail: Mail) {
    if mailbox.post(mail) == .first { poller.wakeUp() }
  }

  /// Runs a piece of a task on this loop, soon.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isCurrent { return local.append(.job(job)) }
    switch mailbox.post(.job(job)) {
    case .first: poller.wakeUp()
    case .queued: break
    case .closed: job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Asks for something after what is to be done already; on this loop's thread.
  func postLocally(_ mail: Mail) { local.append(mail) }

  private func deliverMail() {
    mailbox.collect(into: &batch)
    deliverBatch()
    var rounds = 16
    while !local.isEmpty, rounds > 0 {
      swap(&local, &batch)
      deliverBatch()
      rounds -= 1
    }
  }

  private func deliverBatch() {
    for mail in batch { deliver(mail) }
    batch.removeAll(keepingCapacity: true)
  }

  private func deliver(_ mail: Mail) {
    switch mail {
    case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
    case .answer(let exchange, let response): finish(exchange, response)
    case .adopt(let accepted): adopt(accepted)
    case .proceed(let id): connection(id)?.advance()
    case .resumeAccepting: acceptor?.resume(on: self)
    case .drain: drain()
    }
  }
}
