import Domain
import Primitives

/// A change as the domain decided it, made into a new record, a change of the place, and what goes with them into
/// one transaction.
struct ConnectionChange: Sendable {
  /// The record to be written.
  var record: ConnectionRecord
  /// What changes where values live.
  var place: PlaceChange
  /// The account that the user holds afterwards; nil for none.
  var holder: GoogleSubject?
  /// Whether the secret changes.
  private(set) var changesSecret = false

  private let standing: Standing
  private let before: ConnectionRecord

  /// Nothing yet, upon what stands.
  init(_ standing: Standing, _ record: ConnectionRecord) {
    self.standing = standing
    before = record
    self.record = record
    if record.version != standing.value?.version { self.record.loseVersion() }
    self.record.connection = standing.connection
    self.record.version = standing.value?.version
    self.record.tokensFence = standing.tokensFence
    self.record.aside = standing.aside
    self.record.write = nil
    place = PlaceChange(found: standing.found)
    switch standing.secret {
    case .none, .tokens: holder = standing.secret.holder
    // Of a value that does not open it is known only whose the one before it was.
    case .unusable: holder = record.holder
    }
  }

  /// Takes up what the domain decided. `version` is new, `keptName` where a value that does not open is kept.
  mutating func apply(_ change: VaultChange, version: String, keptName: String) {
    if change.discardsAsides { discardAsides() }
    switch change.secret {
    case .keep: break
    case .put(let tokens): put(tokens, version: version, keptName: keptName)
    case .remove:
      if !change.discardsAsides { keepUnusable(as: keptName) }
      if hasSomething { remove(.remove) }
    case .setAside(let moment, let reason): setAside(at: moment, because: reason, keptName: keptName)
    case .restoreAside: restore()
    }
    switch change.connection {
    case .keep: break
    case .put(let connection): record.connection = connection
    case .forget: record.connection = nil
    }
  }

  /// Whether there is something in the place, be it only left behind.
  private var hasSomething: Bool {
    if case .absent = standing.found { return false }
    if case .value(let value) = standing.found { return value.version != record.aside?.version }
    return record.aside == nil
  }

  private mutating func discardAsides() {
    place.destroys = record.kept.union(record.doomed)
    record.doomed = place.destroys
    record.kept = []
    endAside()
  }

  /// What is aside, and could be restored, is destroyed.
  mutating func endAside() {
    guard record.aside != nil else { return }
    record.aside = nil
    remove(.remove)
  }

  private mutating func put(_ tokens: OAuthTokens, version: String, keptName: String) {
    keepUnusable(as: keptName)
    changesSecret = true
    record.fence += 1
    record.version = version
    record.tokensFence = tokens.fence
    record.aside = nil
    holder = tokens.account.subject
    var isFirst = false
    if case .absent = standing.found { isFirst = true }
    place.step = .put(
      PlaceChange.NewValue(tokens: tokens, version: version, fence: record.fence, isFirst: isFirst))
  }

  private mutating func remove(_ step: PlaceChange.Step) {
    changesSecret = true
    record.fence += 1
    record.version = nil
    record.tokensFence = 0
    holder = nil
    place.step = step
  }

  private mutating func setAside(at moment: Timestamp, because reason: ConnectionReason, keptName: String) {
    switch standing.secret {
    case .none: return
    case .unusable:
      keepUnusable(as: keptName)
      remove(.remove)
    case .tokens(let tokens, _):
      record.aside = RecordedAside(
        version: standing.value?.version ?? "", tokensFence: standing.tokensFence, reason: reason,
        secret: AsideSecret(tokens, since: moment))
      remove(.setAside)
    }
  }

  private mutating func restore() {
    guard case .none = standing.secret, let aside = record.aside else { return }
    changesSecret = true
    record.fence += 1
    record.version = aside.version
    record.tokensFence = aside.tokensFence
    record.aside = nil
    holder = aside.secret.account.subject
    place.step = .restore(version: aside.version)
  }

  private mutating func keepUnusable(as name: String) {
    guard case .unusable = standing.secret, let value = standing.value else { return }
    place.keeps = (name, value)
    record.kept.insert(name)
  }

  // MARK: What is said beforehand

  /// What the record says of a change of the secret that is made after it.
  func intent(owner: String, until: Timestamp) -> WriteIntent {
    switch place.step {
    case .put, .restore:
      let stood = WriteIntent.Before(
        connection: standing.connection, version: standing.value?.version, tokensFence: standing.tokensFence,
        fence: before.fence, aside: standing.aside, holder: before.holder)
      return WriteIntent(kind: .value(before: stood), owner: owner, until: until)
    case .keep, .remove, .setAside:
      return WriteIntent(kind: .removal(of: standing.value?.version), owner: owner, until: until)
    }
  }

  /// Whether the record says anything new, or the place changes.
  func changesAnything(of user: UserID) -> Bool {
    var old = before
    old.write = nil
    return !place.isNothing || record.item(of: user) != old.item(of: user)
  }
}
