import CCurl
import Glibc

/// The sockets that libcurl wants watched, and its timer; of the loop's thread alone.
///
/// libcurl is told which sockets are ready, and looks at those transfers alone (curl.se, "multi_socket"). Polled by
/// itself it would look at every one of them, each with a system call, whenever one goes on.
final class Sockets {
  /// What wakes the loop is the first.
  private var watched: [pollfd]
  /// When libcurl wants to be called although nothing is ready.
  private var timer: ContinuousClock.Instant?

  /// Watches what `multi` asks for, as long as both live, and `wakeUp` besides.
  init(of multi: UnsafeMutableRawPointer, and wakeUp: borrowing WakeUp) {
    watched = [pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)]
    let context = Unmanaged.passUnretained(self).toOpaque()
    curl_multi_set_socket_function(multi, watchSocket, context).check("watching sockets")
    curl_multi_set_timer_function(multi, keepTime, context).check("watching the time")
  }

  /// Waits up to `longest` until something is ready; the sockets that are, and for what (`CURL_CSELECT_…`).
  func wait(atMost longest: Duration) -> [(socket: Int32, events: Int32)] {
    let time = timer.map { max(.zero, min($0 - .now, longest)) } ?? longest
    // Rounded up: else the last fraction would be spent in turns without a wait. A signal ends it early.
    let milliseconds = time == .zero ? 0 : Int32(time / .milliseconds(1)) + 1
    guard poll(&watched, nfds_t(watched.count), milliseconds) > 0 else { return [] }
    return watched.dropFirst().compactMap { $0.revents == 0 ? nil : ($0.fd, Self.events($0.revents)) }
  }

  /// Whether libcurl's timer went off. It is not set any more then.
  func timerWentOff() -> Bool {
    guard let moment = timer, moment <= .now else { return false }
    timer = nil
    return true
  }

  private static func events(_ found: Int16) -> Int32 {
    let found = Int32(found)
    return (found & (POLLIN | POLLHUP) != 0 ? CURL_CSELECT_IN : 0)
      | (found & POLLOUT != 0 ? CURL_CSELECT_OUT : 0)
      | (found & (POLLERR | POLLNVAL) != 0 ? CURL_CSELECT_ERR : 0)
  }

  fileprivate func watch(_ socket: Int32, for what: Int32) {
    let place = watched.dropFirst().firstIndex { $0.fd == socket }
    guard what != CURL_POLL_REMOVE else {
      if let place { watched.remove(at: place) }
      return
    }
    let reads = what == CURL_POLL_IN || what == CURL_POLL_INOUT
    let writes = what == CURL_POLL_OUT || what == CURL_POLL_INOUT
    let wanted = pollfd(fd: socket, events: Int16((reads ? POLLIN : 0) | (writes ? POLLOUT : 0)), revents: 0)
    if let place { watched[place] = wanted } else { watched.append(wanted) }
  }

  fileprivate func setTimer(milliseconds: Int) {
    timer = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
  }
}

/// Called by libcurl when what it wants to know of a socket changes.
private func watchSocket(
  _: UnsafeMutableRawPointer?, socket: curl_socket_t, what: Int32, context: UnsafeMutableRawPointer?,
  _: UnsafeMutableRawPointer?
) -> Int32 {
  context.map { Unmanaged<Sockets>.fromOpaque($0).takeUnretainedValue() }?.watch(socket, for: what)
  return 0
}

/// Called by libcurl when its timer changes; -1 is none.
private func keepTime(_: UnsafeMutableRawPointer?, milliseconds: Int, context: UnsafeMutableRawPointer?)
  -> Int32
{
  context.map { Unmanaged<Sockets>.fromOpaque($0).takeUnretainedValue() }?.setTimer(
    milliseconds: milliseconds)
  return 0
}
