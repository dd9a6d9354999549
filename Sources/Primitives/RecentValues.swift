/// Values by their keys, as many as there is room for; what nobody asked for lately goes first.
public struct RecentValues<Key: Hashable, Value> {
  private let capacity: Int
  // When the newer half is full the older one goes, which is what nobody asked for in the meantime.
  private var newer: [Key: Value] = [:]
  private var older: [Key: Value] = [:]

  /// Room for `capacity` values.
  public init(capacity: Int) { self.capacity = capacity }

  /// The value of `key`; setting nil forgets it. To get one counts as asking for it.
  public subscript(key: Key) -> Value? {
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

  private mutating func insert(_ value: Value, for key: Key) {
    if newer.count >= capacity / 2, newer[key] == nil {
      older = newer
      newer = [:]
    }
    newer[key] = value
  }
}

extension RecentValues: Sendable where Key: Sendable, Value: Sendable {}
