import Domain
import Primitives

/// Values in the table itself, sealed by KMS: `SECRET`, and `ASIDE` for what is set aside, sealed for the same
/// context, so that it is restored by moving it. They change in the record's own transaction.
struct SealedItemPlace: TokenPlace {
  let dynamoDB: DynamoDB
  let tables: StoreTables
  let sealer: KMSSealer
  let failure: StoreFailure

  private static let secret = "SECRET"
  private static let aside = "ASIDE"

  var changesAfterRecord: Bool { false }

  func keptName(of user: UserID, version: String) -> String { "KEPT#" + version }

  func itemKeys(of user: UserID) -> [DynamoDBItem] {
    [ItemKey.value(Self.secret, of: user), ItemKey.value(Self.aside, of: user)]
  }

  // MARK: Reading

  func find(_ user: UserID) async throws(StoreError) -> FoundValue? { nil }

  func find(_ user: UserID, in items: [DynamoDBItem], record: ConnectionRecord) async throws(StoreError)
    -> FoundValue
  {
    guard let item = items.first(where: { $0.contains(ItemKey.value(Self.secret, of: user)) }) else {
      return items.contains { $0.contains(ItemKey.value(Self.aside, of: user)) } ? .aside : .absent
    }
    return .value(try await open(item, of: user))
  }

  func value(of user: UserID, version: String) async throws(StoreError) -> StoredValue? { nil }

  func openAside(of user: UserID, _ aside: RecordedAside) async throws(StoreError) -> StoredValue? {
    let item = try await failure.run("reading a value set aside") { () async throws(AWSError) in
      try await dynamoDB.getItem(tables.own, key: ItemKey.value(Self.aside, of: user))
    }
    guard let item, item["Version"]?.string == aside.version else { return nil }
    return try await open(item, of: user)
  }

  private func open(_ item: DynamoDBItem, of user: UserID) async throws(StoreError) -> StoredValue {
    let version = item["Version"]?.string ?? ""
    guard let sealed = item["Sealed"]?.binary,
      let json = try await sealer.open(sealed, for: .secret(of: user, version: version))
    else { return StoredValue(unusable: version) }
    return StoredValue(version: version, text: Secret(String(decoding: json, as: UTF8.self)))
  }

  // MARK: Writing

  func prepare(_ change: PlaceChange, of user: UserID) async throws(StoreError) -> [TransactionWrite] {
    var writes: [TransactionWrite] = []
    if let kept = change.keeps { writes.append(try await moving(Self.secret, to: kept.name, of: user)) }
    switch change.step {
    case .keep: break
    case .put(let value):
      writes.append(.put(table: tables.own, try await item(of: value, user)))
      writes += clearing(change.found, of: user, but: Self.secret)
    case .remove: writes += clearing(change.found, of: user, but: nil)
    case .setAside:
      writes.append(try await moving(Self.secret, to: Self.aside, of: user))
      writes.append(deleting(Self.secret, of: user))
    case .restore:
      writes.append(try await moving(Self.aside, to: Self.secret, of: user))
      writes.append(deleting(Self.aside, of: user))
    }
    return writes + change.destroys.map { deleting($0, of: user) }
  }

  func carryOut(_ change: PlaceChange, of user: UserID) async throws(PlaceError) {}

  /// The removal of whatever is there.
  private func clearing(_ found: FoundValue, of user: UserID, but kept: String?) -> [TransactionWrite] {
    [Self.secret, Self.aside].filter { $0 != kept }.map { deleting($0, of: user) }
  }

  private func deleting(_ kind: String, of user: UserID) -> TransactionWrite {
    .delete(table: tables.own, key: ItemKey.value(kind, of: user))
  }

  private func item(of value: PlaceChange.NewValue, _ user: UserID) async throws(StoreError) -> DynamoDBItem {
    let json = value.tokens.json
    var item = ItemKey.value(Self.secret, of: user)
    item["Version"] = .string(value.version)
    item["Sealed"] = .binary(try await sealer.seal(json, for: .secret(of: user, version: value.version)))
    return item
  }

  /// The write that copies the sealed value as it is; the record's condition sees to it that it is still that one.
  private func moving(_ kind: String, to other: String, of user: UserID) async throws(StoreError)
    -> TransactionWrite
  {
    let found = try await failure.run("reading a sealed value") { () async throws(AWSError) in
      try await dynamoDB.getItem(tables.own, key: ItemKey.value(kind, of: user))
    }
    // Another process was quicker; the transaction will say so.
    var item = found ?? [:]
    for (name, value) in ItemKey.value(other, of: user).attributes { item[name] = value }
    return .put(table: tables.own, item)
  }
}
