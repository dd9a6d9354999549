import Domain
import Primitives

extension ConnectionRecord {
  static let leaseOwner = "LeaseOwner"
  static let leaseFence = "LeaseFence"
  static let leaseExpiresAt = "LeaseExpiresAt"
  static let revision = "Revision"

  /// A record that this program never writes.
  struct Unreadable: Error {}

  /// Reads an item; nil gives the record of a user who has none.
  init(_ item: DynamoDBItem?) throws(Unreadable) {
    guard let item else { return }
    revision = item[Self.revision]?.string
    if let members = item["Connection"]?.map { connection = try GmailConnection(members) }
    version = item["Version"]?.string
    tokensFence = item["TokensFence"]?.integer ?? 0
    fence = item["Fence"]?.integer ?? 0
    holder = item["Holder"]?.string.map { GoogleSubject($0) }
    if let members = item["Aside"]?.map { aside = try RecordedAside(members) }
    if let members = item["Write"]?.map { write = try WriteIntent(members) }
    if let owner = item[Self.leaseOwner]?.string, let expiry = item[Self.leaseExpiresAt]?.timestamp {
      lease = RefreshLease(owner: owner, fence: item[Self.leaseFence]?.integer ?? 0, expiresAt: expiry)
    }
    kept = item["Kept"]?.strings ?? []
    doomed = item["Doomed"]?.strings ?? []
    setLost((item["Lost"]?.list ?? []).compactMap(\.string))
  }

  /// The item of `user`, without its revision.
  func item(of user: UserID) -> DynamoDBItem {
    var item = ItemKey.connection(of: user)
    item["Connection"] = connection.map { .map($0.members) }
    item["Version"] = version.map { .string($0) }
    item["TokensFence"] = version == nil ? nil : .integer(tokensFence)
    item["Fence"] = .integer(fence)
    item["Holder"] = holder.map { .string($0.rawValue) }
    item["Aside"] = aside.map { .map($0.members) }
    item["Write"] = write.map { .map($0.members) }
    item[Self.leaseOwner] = lease.map { .string($0.owner) }
    item[Self.leaseFence] = lease.map { .integer($0.fence) }
    item[Self.leaseExpiresAt] = lease.map { .timestamp($0.expiresAt) }
    item["Kept"] = kept.isEmpty ? nil : .strings(kept)
    item["Lost"] = lost.isEmpty ? nil : .list(lost.map { .string($0) })
    item["Doomed"] = doomed.isEmpty ? nil : .strings(doomed)
    let due = TimeQueue.entry(of: self, user)
    item["Queue"] = due.map { .string($0.queue) }
    item["At"] = due.map { .timestamp($0.at) }
    return item
  }
}

extension RecordedAside {
  fileprivate init(_ members: [String: AttributeValue]) throws(ConnectionRecord.Unreadable) {
    guard let version = members["Version"]?.string, let since = members["Since"]?.timestamp,
      let reason = members["Reason"]?.string.flatMap(ConnectionReason.init),
      let account = members["Account"]?.map
    else { throw ConnectionRecord.Unreadable() }
    self.init(
      version: version, tokensFence: members["TokensFence"]?.integer ?? 0, reason: reason,
      secret: AsideSecret(
        account: GoogleAccount(account), isRefreshable: members["IsRefreshable"]?.bool ?? true, since: since))
  }

  fileprivate var members: [String: AttributeValue] {
    [
      "Version": .string(version), "TokensFence": .integer(tokensFence), "Reason": .string(reason.rawValue),
      "Since": .timestamp(secret.since), "Account": .map(secret.account.members),
      "IsRefreshable": .bool(secret.isRefreshable),
    ]
  }
}

extension WriteIntent {
  fileprivate init(_ members: [String: AttributeValue]) throws(ConnectionRecord.Unreadable) {
    guard let owner = members["Owner"]?.string, let until = members["Until"]?.timestamp else {
      throw ConnectionRecord.Unreadable()
    }
    let kind: Kind
    if let before = members["Before"]?.map {
      kind = .value(before: try Before(before))
    } else {
      kind = .removal(of: members["Removes"]?.string)
    }
    let settlement = members["Settlement"]?.map.map { members in
      Settlement(
        holder: GoogleSubject(members["Holder"]?.string ?? ""),
        order: (members["Order"]?.map).map { DynamoDBItem($0) })
    }
    self.init(kind: kind, owner: owner, until: until, settlement: settlement)
  }

  fileprivate var members: [String: AttributeValue] {
    var members: [String: AttributeValue] = ["Owner": .string(owner), "Until": .timestamp(until)]
    switch kind {
    case .value(let before): members["Before"] = .map(before.members)
    case .removal(let version): members["Removes"] = version.map { .string($0) }
    }
    if let settlement {
      var inner: [String: AttributeValue] = ["Holder": .string(settlement.holder.rawValue)]
      inner["Order"] = (settlement.order?.attributes).map { .map($0) }
      members["Settlement"] = .map(inner)
    }
    return members
  }
}

extension WriteIntent.Before {
  fileprivate init(_ members: [String: AttributeValue]) throws(ConnectionRecord.Unreadable) {
    self.init(
      connection: try members["Connection"]?.map.map { (members) throws(ConnectionRecord.Unreadable) in
        try GmailConnection(members)
      },
      version: members["Version"]?.string, tokensFence: members["TokensFence"]?.integer ?? 0,
      fence: members["Fence"]?.integer ?? 0,
      aside: try members["Aside"]?.map.map { (members) throws(ConnectionRecord.Unreadable) in
        try RecordedAside(members)
      },
      holder: members["Holder"]?.string.map { GoogleSubject($0) })
  }

  fileprivate var members: [String: AttributeValue] {
    var members: [String: AttributeValue] = ["Fence": .integer(fence), "TokensFence": .integer(tokensFence)]
    members["Connection"] = connection.map { .map($0.members) }
    members["Version"] = version.map { .string($0) }
    members["Aside"] = aside.map { .map($0.members) }
    members["Holder"] = holder.map { .string($0.rawValue) }
    return members
  }
}
