import HTTP

/// Names one connection of one loop; a descriptor's number alone is used again by the next.
struct ConnectionID: Sendable {
  let descriptor: Int32
  let generation: UInt32

  init(descriptor: Int32, generation: UInt32) {
    self.descriptor = descriptor
    self.generation = generation
  }

  init(token: UInt64) {
    descriptor = Int32(truncatingIfNeeded: token & 0xFFFF_FFFF)
    generation = UInt32(truncatingIfNeeded: token >> 32)
  }

  var token: UInt64 { UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor)) }
}

/// What must be remembered of a request until its response is sent and logged.
struct Exchange: Sendable {
  let connection: ConnectionID
  /// Numbers the requests of one loop.
  let serial: UInt64
  /// The request's id, in the log and in `X-Request-Id`.
  let id: String
  /// Nil when the request could not be read that far.
  let method: HTTPMethod?
  /// Whether the request lets the connection stay open.
  let keepsAlive: Bool
  /// HTTP/1.1, where a connection stays open unless it is said.
  let isVersion11: Bool
  /// When the whole request was there, by ``MonotonicClock``.
  let startedAt: Int64
}
