import Domain
import Primitives

/// What stands for a user when record and value are taken together, and what has to be mended.
///
/// The record names the version that the value has, or is about to get. Where the value is another, and nobody is at
/// it, this is what stands:
/// - A value without `fence` was written by the older backend, or by hand: it is the truth, and the record follows.
/// - A value with a lower `fence` than the record's was written by a process that was stopped too long. If the
///   version that the record names exists, that one stands, and is put back.
/// - Else the write that the record names never came: what stood before it stands again.
/// - What left its place by the record is gone; it only has to be removed there too.
struct Standing: Sendable {
  /// What has to be done before anything is decided.
  enum Mending: Sendable {
    /// Nothing.
    case none
    /// Waiting: another process is at it.
    case wait
    /// What comes after a switch has to be done.
    case settle
    /// The record goes back to what stood before; where the value is not that one either, it is put back after it.
    case rollBack
    /// The value that the record names is put back.
    case putBack(StoredValue)
  }

  var connection: GmailConnection?
  var secret: StoredSecret
  /// The value behind the secret.
  var value: StoredValue?
  var tokensFence: Int64 = 0
  var aside: RecordedAside?
  /// Where values are, whatever is to be read there.
  let found: FoundValue
  var mending: Mending = .none

  /// What the domain decides upon.
  func snapshot(lease: RefreshLease?, mark: RevocationMark?) -> VaultSnapshot {
    var offered: AsideSecret?
    if case .none = secret { offered = aside?.secret }
    return VaultSnapshot(
      connection: connection, secret: secret, lease: lease, aside: offered, revocation: mark)
  }

  /// Nothing is there.
  init(nothingBut connection: GmailConnection?, aside: RecordedAside? = nil, found: FoundValue) {
    self.connection = connection
    self.aside = aside
    self.found = found
    secret = .none
  }

  /// `value` is there.
  init(_ value: StoredValue, _ connection: GmailConnection?, fence: Int64 = 0, found: FoundValue) {
    self.connection = connection
    self.value = value
    self.found = found
    secret = value.secret(fence: fence)
    tokensFence = fence
  }

  /// `value` was put there by somebody else.
  init(following value: StoredValue, _ record: ConnectionRecord, found: FoundValue) {
    var connection = record.connection
    if let tokens = value.tokens {
      connection = connection?.following(tokens, grantID: tokens.grantID ?? GrantID(value.version))
    }
    self.init(value, connection, found: found)
  }

  /// This, to be mended so.
  func needing(_ mending: Mending) -> Standing {
    var copy = self
    copy.mending = mending
    return copy
  }
}

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
    // What is being removed had been made.
    if case .aside = found, before.aside == nil { return false }
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
