import Domain
import Primitives

/// Where the values of `gmail/user/{user_id}` live. The record beside them is the same for every place.
protocol TokenPlace: Sendable {
  /// Whether a value changes after the record, by a request of its own, so that the record has to say it
  /// beforehand. Where it changes in the record's transaction, nothing can come in between.
  var changesAfterRecord: Bool { get }

  /// The items of the own table that hold what is in this place; they are read along with the record.
  func itemKeys(of user: UserID) -> [DynamoDBItem]

  /// What is there, when it has to be asked for by itself; nil where `items` say it.
  func find(_ user: UserID) async throws(StoreError) -> FoundValue?

  /// What is there by the items of ``itemKeys(of:)``.
  func find(_ user: UserID, in items: [DynamoDBItem], record: ConnectionRecord) async throws(StoreError)
    -> FoundValue

  /// The value of that version, current or not; nil when it is nowhere.
  func value(of user: UserID, version: String) async throws(StoreError) -> StoredValue?

  /// Opens what is aside. It may have to be brought back for that.
  func openAside(of user: UserID, _ aside: RecordedAside) async throws(StoreError) -> StoredValue?

  /// The name under which an unreadable value of that version is kept.
  func keptName(of user: UserID, version: String) -> String

  /// What the change needs done before the record names it, and the writes to be made in the record's transaction.
  func prepare(_ change: PlaceChange, of user: UserID) async throws(StoreError) -> [TransactionWrite]

  /// Makes the change after the record names it. It is finished when it is called again after a failure.
  func carryOut(_ change: PlaceChange, of user: UserID) async throws(PlaceError)
}

/// A change of what is in a place.
struct PlaceChange: Sendable {
  /// A new value.
  struct NewValue: Sendable {
    let tokens: OAuthTokens
    let version: String
    let fence: Int64
    /// Whether there must be none yet: what somebody else puts there meanwhile is not overwritten.
    let isFirst: Bool
  }
  /// What becomes of the value.
  enum Step: Sendable {
    /// It stays.
    case keep
    /// A new one takes its place, and that of what is aside.
    case put(NewValue)
    /// It goes for good, and what is aside with it.
    case remove
    /// It can be restored from now on.
    case setAside
    /// What is aside gets its place back.
    case restore(version: String)
  }

  /// What was found there.
  let found: FoundValue
  /// What becomes of it.
  var step: Step = .keep
  /// A value that does not open, to be kept under its name.
  var keeps: (name: String, value: StoredValue)?
  /// Names of values to be destroyed.
  var destroys: Set<String> = []

  /// Whether nothing changes.
  var isNothing: Bool {
    guard case .keep = step else { return false }
    return keeps == nil && destroys.isEmpty
  }
}

/// Why a change was not carried out.
enum PlaceError: Error, Sendable, Hashable {
  /// Somebody else changed what is there. Nothing was done.
  case overtaken
  /// Nothing was done.
  case notDone
  /// Nobody knows whether it was done.
  case unknown
}
