import CLinux
import Glibc

/// One epoll set and the eventfd that wakes it from other threads.
final class Poller {
  /// What became ready, and the token it was registered with.
  struct Event {
    let token: UInt64
    private let flags: UInt32

    fileprivate init(_ raw: epoll_event) {
      token = raw.data.u64
      flags = raw.events
    }

    /// Both directions are dead.
    var isBroken: Bool { flags & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 }
    /// There is something to read, perhaps the end.
    var isReadable: Bool { flags & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0 }
    /// The peer sends no more.
    var isPeerFinished: Bool { flags & EPOLLRDHUP.rawValue != 0 }
    /// There is room to write.
    var isWritable: Bool { flags & EPOLLOUT.rawValue != 0 }
  }

  private static let capacity = 256
  private static let wakeToken = UInt64.max
  private let epoll: Int32
  private let wake: Int32
  private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: Poller.capacity)

  init() throws(HTTPServerError) {
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    wake = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard epoll >= 0, wake >= 0 else { throw .system("epoll_create1 or eventfd") }
    guard control(EPOLL_CTL_ADD, wake, EPOLLIN.rawValue, Self.wakeToken) else { throw .system("epoll_ctl") }
  }

  deinit {
    events.deallocate()
    close(wake)
    close(epoll)
  }

  /// Reports a connection's every change once (edge-triggered). False when the kernel has no room.
  func addConnection(_ descriptor: Int32, token: UInt64) -> Bool {
    let all = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
    return control(EPOLL_CTL_ADD, descriptor, all, token)
  }

  /// Reports a listener as long as a connection waits in it.
  func addListener(_ descriptor: Int32, token: UInt64) -> Bool {
    control(EPOLL_CTL_ADD, descriptor, EPOLLIN.rawValue, token)
  }

  /// Reports `descriptor` no more.
  func remove(_ descriptor: Int32) { _ = control(EPOLL_CTL_DEL, descriptor, 0, 0) }

  /// Makes ``wait(milliseconds:)`` return soon; from any thread.
  func wakeUp() {
    var one: UInt64 = 1
    _ = write(wake, &one, 8)
  }

  /// Waits for events, at most that long (-1: forever). How many there are to fetch with ``event(_:)``.
  func wait(milliseconds: Int32) -> Int {
    max(0, Int(epoll_wait(epoll, events, Int32(Self.capacity), milliseconds)))
  }

  /// One of the events that the last wait brought; nil for a wake-up, which is thereby taken.
  func event(_ index: Int) -> Event? {
    let event = Event(events[index])
    guard event.token == Self.wakeToken else { return event }
    var ignored: UInt64 = 0
    _ = read(wake, &ignored, 8)
    return nil
  }

  private func control(_ operation: Int32, _ descriptor: Int32, _ flags: UInt32, _ token: UInt64) -> Bool {
    var event = epoll_event()
    event.events = flags
    event.data.u64 = token
    return epoll_ctl(epoll, operation, descriptor, &event) == 0
  }
}
