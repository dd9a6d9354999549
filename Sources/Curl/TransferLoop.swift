import CCurl
import Glibc
import HTTP
import Synchronization

/// The thread that runs all transfers, and the way into it.
///
/// Other threads put commands into the inbox and wake the loop; everything of libcurl happens on its thread.
/// Unchecked: all else that it holds is of the loop's thread.
final class TransferLoop: @unchecked Sendable {
  private enum Command {
    case start(Transfer)
    case cancel(Transfer)
  }

  private struct Inbox {
    var commands: [Command] = []
    var isStopping = false
    var hasEnded = false
    /// Called when the thread is about to end.
    var waiting: [@Sendable () -> Void] = []
  }

  private let inbox = Mutex(Inbox())
  private let wakeUp = WakeUp()
  private let multi: UnsafeMutableRawPointer
  private let configuration: CurlHTTPClient.Configuration

  init(_ configuration: CurlHTTPClient.Configuration) {
    CurlLibrary.initialize()
    guard let multi = curl_multi_init() else { fatalError("libcurl: no memory for a multi handle") }
    let limit = configuration.maximumConnectionsPerHost
    curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, limit).check("limiting connections")
    self.multi = multi
    self.configuration = configuration
  }

  /// Starts the thread, which keeps the loop until it is stopped.
  func start() {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    let status = pthread_create(
      &thread, nil,
      { context in
        context.map { Unmanaged<TransferLoop>.fromOpaque($0).takeRetainedValue() }?.run()
        return nil
      }, context.toOpaque())
    precondition(status == 0, "no thread for HTTP transfers")
    pthread_detach(thread)
  }

  /// Hands `transfer` over; `completion` is called once, on the loop's thread or, after ``stop(_:)``, on this
  /// one.
  func submit(_ transfer: Transfer, _ completion: @escaping Transfer.Completion) {
    transfer.completion = completion
    if !post(.start(transfer)) { transfer.complete(.failure(.unreachable)) }
  }

  /// Ends `transfer` if it has not ended, also when it is yet to be submitted.
  func cancel(_ transfer: Transfer) { _ = post(.cancel(transfer)) }

  /// Makes the thread end every transfer and itself, then calls `completion`.
  func stop(_ completion: @escaping @Sendable () -> Void = {}) {
    let hasEnded = inbox.withLock { inbox in
      guard !inbox.hasEnded else { return true }
      inbox.waiting.append(completion)
      inbox.isStopping = true
      wakeUp.call()
      return false
    }
    if hasEnded { completion() }
  }

  /// False when the loop takes nothing more.
  private func post(_ command: Command) -> Bool {
    inbox.withLock { inbox in
      guard !inbox.isStopping else { return false }
      inbox.commands.append(command)
      if inbox.commands.count == 1 { wakeUp.call() }
      return true
    }
  }

  private func run() {
    blockSignals()
    let sockets = Sockets(of: multi, and: wakeUp)
    let transfers = ActiveTransfers(multi: multi, sockets: sockets, configuration: configuration)
    while true {
      let (commands, isStopping) = inbox.withLock { inbox in
        if !inbox.commands.isEmpty { wakeUp.clear() }
        return (exchange(&inbox.commands, with: []), inbox.isStopping)
      }
      for command in commands {
        switch command {
        case .start(let transfer): transfers.start(transfer)
        case .cancel(let transfer): transfers.cancel(transfer)
        }
      }
      if isStopping { break }
      transfers.advance()
    }
    transfers.endAll()
    withExtendedLifetime(sockets) { curl_multi_cleanup(multi).check("freeing") }
    let waiting = inbox.withLock { inbox in
      inbox.hasEnded = true
      return inbox.waiting
    }
    for tell in waiting { tell() }
  }

  /// Signals are for the threads that expect them; a write to a closed connection must not end the process.
  private func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }
}

/// libcurl's process-wide state.
private enum CurlLibrary {
  private static let status = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

  /// Sets it up, the first time it is called, however many threads call.
  static func initialize() { precondition(status == CURLE_OK, "libcurl could not be initialised") }
}
