/// Values by their keys, as many as there is room for; what nobody asked for lately goes first.
///
/// Inlinable, so that it is compiled for the values that it holds: it is asked with each request.
@frozen public struct RecentValues<Key: Hashable, Value> {
  @usableFromInline let capacity: Int
  // When the newer half is full the older one goes, which is what nobody asked for in the meantime.
  @usableFromInline var newer: [Key: Value] = [:]
  @usableFromInline var older: [Key: Value] = [:]

  /// Room for `capacity` values.
  @inlinable public init(capacity: Int) { self.capacity = capacity }

  /// The value of `key`; setting nil forgets it. To get one counts as asking for it.
  @inlinable public subscript(key: Key) -> Value? {
    mutating get {
      if let value = newer[key] { return value }
      guard let value = older[key] else { return nil }
      insert(value, for: key)
      return value
    }
    set {
      if let newValue { return insert(newValue, for: key) }
      newer[key] = nil
      older[key] = nil
    }
  }

  @inlinable mutating func insert(_ value: Value, for key: Key) {
    if newer.count >= capacity / 2, newer[key] == nil {
      older = newer
      newer = [:]
    }
    newer[key] = value
  }
}

extension RecentValues: Sendable where Key: Sendable, Value: Sendable {}
