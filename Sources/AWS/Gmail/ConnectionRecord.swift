import Domain
import Primitives

/// The item beside a user's secret: what is known of the connection without opening it, and what a process that
/// writes the secret has said beforehand.
struct ConnectionRecord: Sendable {
  /// New with every write of the item; nil while there is none.
  var revision: String?
  /// The connection.
  var connection: GmailConnection?
  /// The version that the secret has, or is about to get; nil without one.
  var version: String?
  /// The fencing number of the refresh that wrote those tokens.
  var tokensFence: Int64 = 0
  /// Counts the writes of the secret, one after the other.
  var fence: Int64 = 0
  /// The account that this user is counted a holder of.
  var holder: GoogleSubject?
  /// What is set aside.
  var aside: RecordedAside?
  /// What its last writer set out to do with the secret.
  var write: WriteIntent?
  /// The newest lease.
  var lease: RefreshLease?
  /// Where values are kept that did not open.
  var kept: Set<String> = []
  /// Which of those are to be destroyed yet.
  var doomed: Set<String> = []
  /// Versions that were named here and given up before anybody saw them, the last ones: their writers, should they
  /// wake, have to decide again.
  private(set) var lost: [String] = []

  private static let mostLost = 8

  /// The version that is named is given up.
  mutating func loseVersion() { if let version { setLost(lost + [version]) } }

  mutating func setLost(_ versions: [String]) { lost = versions.suffix(Self.mostLost) }
}

/// A secret that is set aside, by its record.
struct RecordedAside: Sendable, Hashable {
  /// The version that it had, and has again when it is restored.
  let version: String
  /// The fencing number of the refresh that wrote it.
  let tokensFence: Int64
  /// Why it is aside.
  let reason: ConnectionReason
  /// What the domain knows of it.
  let secret: AsideSecret
}

/// What a process is about to do with the secret after it has written the record. Whoever finds it unfinished can
/// tell what stands, and once its time is over, mend it.
struct WriteIntent: Sendable, Hashable {
  /// What is done.
  enum Kind: Sendable, Hashable {
    /// A value gets its place: new, or restored. `before` stands again when that cannot be finished.
    case value(before: Before)
    /// The value of that version leaves its place. It is gone by the record already: it only has to be finished.
    case removal(of: String?)
  }

  /// What stood before.
  struct Before: Sendable, Hashable {
    let connection: GmailConnection?
    let version: String?
    let tokensFence: Int64
    let fence: Int64
    let aside: RecordedAside?
    let holder: GoogleSubject?
  }

  /// What a switch of accounts does once the new value is there, and not before: the old account stays held, so
  /// that its grant is not revoked should the old value have to stand.
  struct Settlement: Sendable, Hashable {
    /// The account that is held from then on.
    let holder: GoogleSubject
    /// The revocation of the old one, as an item.
    let order: DynamoDBItem?
  }

  /// What is done.
  let kind: Kind
  /// By whom: a text that no two processes share.
  let owner: String
  /// Until when nobody else touches it.
  let until: Timestamp
  /// What comes after it.
  var settlement: Settlement?

  /// How long a write may take.
  static let lifetime: Duration = .seconds(15)
  /// A writer who took longer than this must look again before it says that it is done.
  static let surely: Duration = .seconds(10)
  /// How long after its end a first write that left no trace is taken for one that never came.
  static let remembered: Duration = .seconds(600)

  /// Whether others have to wait at `now`. A time far ahead was written by a wrong clock.
  func isLive(at now: Timestamp) -> Bool { until > now && until <= now + RefreshLease.furthestExpiry }

  /// What stood before, when a value gets its place.
  var before: Before? { if case .value(let before) = kind { before } else { nil } }
  /// The version that is to leave its place.
  var removes: String? { if case .removal(let version) = kind { version } else { nil } }
}
