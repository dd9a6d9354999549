import CCurl
import HTTP

/// The transfers that run, on the loop's thread alone.
final class ActiveTransfers {
  /// How long the loop sleeps when no transfer limits it.
  private static let longestSleep: Duration = .seconds(60)
  /// Handles kept for further transfers.
  private static let maximumIdle = 128

  private let multi: UnsafeMutableRawPointer
  private let sockets: Sockets
  private let configuration: CurlHTTPClient.Configuration
  /// By their easy handles.
  private var running: [UnsafeMutableRawPointer: Transfer] = [:]
  private var idle: [EasyHandle] = []
  /// No transfer's deadline is earlier.
  private var nextDeadline: ContinuousClock.Instant?

  init(multi: UnsafeMutableRawPointer, sockets: Sockets, configuration: CurlHTTPClient.Configuration) {
    self.multi = multi
    self.sockets = sockets
    self.configuration = configuration
  }

  /// Begins `transfer`, unless it was cancelled meanwhile.
  func start(_ transfer: Transfer) {
    guard !transfer.isCancelled else { return transfer.complete(.failure(.cancelled)) }
    do {
      let handle = try idle.popLast() ?? EasyHandle()
      try handle.prepare(for: transfer, configuration)
      curl_multi_add_handle(multi, handle.pointer).check("starting a transfer")
      transfer.handle = handle
      running[handle.pointer] = transfer
      nextDeadline = min(nextDeadline ?? transfer.deadline, transfer.deadline)
    } catch {
      transfer.complete(.failure(.unreachable))
    }
  }

  /// Ends `transfer` if it runs, and keeps it from starting if it does not yet.
  func cancel(_ transfer: Transfer) {
    transfer.isCancelled = true
    end(transfer) { _ in .failure(.cancelled) }
  }

  /// Ends all of them.
  func endAll() {
    for transfer in running.values { end(transfer) { _ in .failure(.connectionLost) } }
    idle.removeAll()
  }

  /// Waits until there is something to do, and does it.
  func advance() {
    let ready = sockets.wait(atMost: wait)
    // Read before the transfers go on: a process that was stopped for a while first takes what came meanwhile,
    // and only then finds that the time is up.
    let now = ContinuousClock.now
    for (socket, events) in ready { act(on: socket, events) }
    if sockets.timerWentOff() { act(on: CURL_SOCKET_TIMEOUT, 0) }
    finishDone()
    endOverdue(at: now)
  }

  private func act(on socket: Int32, _ events: Int32) {
    var count: Int32 = 0
    curl_multi_socket_action(multi, socket, events, &count).check("transferring")
  }

  /// Reports the transfers that libcurl is done with.
  private func finishDone() {
    var remaining: Int32 = 0
    while let message = curl_multi_info_read(multi, &remaining) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
        let transfer = running[easy]
      else { continue }
      let code = message.pointee.data.result
      end(transfer) { handle in
        if code == CURLE_OK { return .success(transfer.response(status: handle.status)) }
        if transfer.isTooLarge { return .failure(.responseTooLarge) }
        return .failure(HTTPClientError(code, requestWasSent: handle.requestWasSent))
      }
    }
  }

  /// How long no transfer's time is up.
  private var wait: Duration { nextDeadline.map { min($0 - .now, Self.longestSleep) } ?? Self.longestSleep }

  /// Ends the transfers whose time is up. libcurl's own limit would not count the time that a request waits for a
  /// connection.
  private func endOverdue(at now: ContinuousClock.Instant) {
    guard let earliest = nextDeadline, earliest <= now else { return }
    for transfer in running.values where transfer.deadline <= now {
      end(transfer) {
        .failure(HTTPClientError(CURLE_OPERATION_TIMEDOUT, requestWasSent: $0.requestWasSent))
      }
    }
    nextDeadline = running.values.map(\.deadline).min()
  }

  /// Takes `transfer` from libcurl, if it runs, and reports what `result` makes of its handle.
  private func end(
    _ transfer: Transfer, _ result: (EasyHandle) -> Result<HTTPResponse, HTTPClientError>
  ) {
    guard let handle = transfer.handle else { return }
    let outcome = result(handle)
    curl_multi_remove_handle(multi, handle.pointer).check("ending a transfer")
    running[handle.pointer] = nil
    transfer.handle = nil
    handle.reset()
    if idle.count < Self.maximumIdle { idle.append(handle) }
    transfer.complete(outcome)
  }
}
