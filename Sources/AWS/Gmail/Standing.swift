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
