import Primitives

/// The deadline of each connection, by the number of its descriptor.
///
/// All deadlines of a kind lie equally far ahead when they are set, so each kind is a queue in which the
/// first is always the next to pass: setting, clearing and looking cost the same for any number.
struct Deadlines {
  /// What a connection has to do in time.
  enum Kind: Int8, CaseIterable {
    /// Send the first byte of a request.
    case idle
    /// Send the rest of it.
    case request
    /// Take the response.
    case response
    /// Close its side after the last response.
    case linger
  }

  private struct Entry {
    var kind: Kind?
    var due: Int64 = 0
    var previous: Int32 = -1
    var next: Int32 = -1
  }

  private struct Queue {
    let span: Int64
    var first: Int32 = -1
    var last: Int32 = -1
  }

  private var entries: [Entry] = []
  private var queues: [Queue]

  init(limits: HTTPServerLimits) {
    queues = [limits.idleTime, limits.requestTime, limits.responseTime, limits.lingerTime].map {
      Queue(span: $0.microseconds)
    }
  }

  /// The kind that is set for `slot`.
  func kind(of slot: Int32) -> Kind? { Int(slot) < entries.count ? entries[Int(slot)].kind : nil }

  /// Sets the deadline of `slot`, counted from `now`, in place of the one it had.
  mutating func set(_ kind: Kind, for slot: Int32, now: Int64) {
    clear(slot)
    while entries.count <= Int(slot) { entries.append(Entry()) }
    let queue = Int(kind.rawValue)
    let last = queues[queue].last
    entries[Int(slot)] = Entry(kind: kind, due: now + queues[queue].span, previous: last, next: -1)
    if last >= 0 { entries[Int(last)].next = slot } else { queues[queue].first = slot }
    queues[queue].last = slot
  }

  /// Takes the deadline of `slot` away.
  mutating func clear(_ slot: Int32) {
    guard let kind = kind(of: slot) else { return }
    let entry = entries[Int(slot)]
    let queue = Int(kind.rawValue)
    if entry.previous >= 0 {
      entries[Int(entry.previous)].next = entry.next
    } else {
      queues[queue].first = entry.next
    }
    if entry.next >= 0 {
      entries[Int(entry.next)].previous = entry.previous
    } else {
      queues[queue].last = entry.previous
    }
    entries[Int(slot)].kind = nil
  }

  /// When the next one passes.
  var next: Int64? {
    var earliest: Int64?
    for queue in queues where queue.first >= 0 {
      let due = entries[Int(queue.first)].due
      earliest = min(earliest ?? due, due)
    }
    return earliest
  }

  /// Takes one deadline out that has passed by `now`.
  mutating func takePassed(now: Int64) -> (slot: Int32, kind: Kind)? {
    for kind in Kind.allCases {
      let slot = queues[Int(kind.rawValue)].first
      guard slot >= 0, entries[Int(slot)].due <= now else { continue }
      clear(slot)
      return (slot, kind)
    }
    return nil
  }
}
