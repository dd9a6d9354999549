import Domain
import Primitives

extension ConnectionStore {
  /// What stands by what was read.
  func resolve(_ loaded: Loaded, of user: UserID) async throws(StoreError) -> Standing {
    let (record, found) = (loaded.items.record, loaded.found)
    if loaded.isOfOneMoment {
      guard let value = found.value else { return Self.withoutSecret(record, found) }
      let standing = Standing(value, record.connection, fence: record.tokensFence, found: found)
      return record.write?.settlement == nil ? standing : standing.needing(.settle)
    }
    guard place.changesAfterRecord else { return Self.inOneTransaction(record, found) }
    guard let named = record.version else { return Self.beyondRemoval(record, found) }
    if let write = record.write, let before = write.before, write.owner != owner,
      write.isLive(at: time.now()), try await place.value(of: user, version: named) == nil
    {
      return try await standing(before, found, of: user).needing(.wait)
    }
    return try await unfinished(record, found, named: named, of: user)
  }

  /// The record names no version, and there is no value.
  private static func withoutSecret(_ record: ConnectionRecord, _ found: FoundValue) -> Standing {
    // What was aside may be gone for good meanwhile.
    if case .absent = found { return Standing(nothingBut: record.connection, found: found) }
    return Standing(nothingBut: record.connection, aside: record.aside, found: found)
  }

  /// Both change in one transaction: a value under another version is not what was written here.
  private static func inOneTransaction(_ record: ConnectionRecord, _ found: FoundValue) -> Standing {
    guard let value = found.value else {
      return Standing(nothingBut: record.connection?.afterForeignRemoval, found: found)
    }
    return Standing(
      StoredValue(unusable: value.version, text: value.text), record.connection, found: found)
  }

  /// The record names no version, and there is a value.
  private static func beyondRemoval(_ record: ConnectionRecord, _ found: FoundValue) -> Standing {
    guard let value = found.value else { return withoutSecret(record, found) }
    let isLeftBehind =
      value.version == record.aside?.version || value.version == record.write?.removes
      || value.fence.map { $0 <= record.fence } ?? false
    guard isLeftBehind else { return Standing(following: value, record, found: found) }
    return Standing(nothingBut: record.connection, aside: record.aside, found: found)
  }

  /// The value is not the one that the record names, and whoever wrote the record is no longer at it.
  private func unfinished(
    _ record: ConnectionRecord, _ found: FoundValue, named: String, of user: UserID
  ) async throws(StoreError) -> Standing {
    let before = record.write?.before
    guard let value = found.value else {
      if let write = record.write, let before, neverCame(write, before, found) {
        return try await standing(before, found, of: user).needing(.rollBack)
      }
      return Standing(nothingBut: record.connection?.afterForeignRemoval, found: found)
    }
    let isLate = value.fence.map { $0 < record.fence } ?? (value.version == before?.version)
    guard isLate else { return Standing(following: value, record, found: found) }
    if let truth = try await place.value(of: user, version: named) {
      return Standing(truth, record.connection, fence: record.tokensFence, found: found)
        .needing(.putBack(truth))
    }
    guard let before else { return Standing(following: value, record, found: found) }
    return try await standing(before, found, of: user).needing(.rollBack)
  }

  /// Whether the first value of a secret that is not there never was. That it came and was removed by the older
  /// backend looks the same: after a while that is likelier.
  private func neverCame(_ write: WriteIntent, _ before: WriteIntent.Before, _ found: FoundValue) -> Bool {
    guard before.version == nil else { return false }
    // What is aside was so before, or else had been made.
    if case .aside = found { return before.aside != nil }
    return time.now() < write.until + WriteIntent.remembered
  }

  /// What stood before a write that never came.
  private func standing(_ before: WriteIntent.Before, _ found: FoundValue, of user: UserID)
    async throws(StoreError) -> Standing
  {
    guard let version = before.version else { return Self.withoutSecret(ConnectionRecord(before), found) }
    if let value = found.value, value.version == version {
      return Standing(value, before.connection, fence: before.tokensFence, found: found)
    }
    if let value = try await place.value(of: user, version: version) {
      return Standing(value, before.connection, fence: before.tokensFence, found: found)
    }
    guard let value = found.value else {
      return Standing(nothingBut: before.connection?.afterForeignRemoval, found: found)
    }
    return Standing(following: value, ConnectionRecord(before), found: found)
  }
}

extension ConnectionRecord {
  /// A record that says what stood before.
  init(_ before: WriteIntent.Before) {
    connection = before.connection
    version = before.version
    tokensFence = before.tokensFence
    fence = before.fence
    aside = before.aside
    holder = before.holder
  }
}
