import Domain
import Primitives

extension GmailConnection {
  /// Reads the members of a record's `Connection`.
  init(_ members: [String: AttributeValue]) throws(ConnectionRecord.Unreadable) {
    func moment(_ name: String) -> Timestamp { members[name]?.timestamp ?? Timestamp(microseconds: 0) }
    guard let status = members["Status"]?.string.flatMap(ConnectionStatus.init(rawValue:)) else {
      throw ConnectionRecord.Unreadable()
    }
    let reason = members["Reason"]?.string
    guard reason == nil || reason.flatMap(ConnectionReason.init(rawValue:)) != nil else {
      throw ConnectionRecord.Unreadable()
    }
    self.init(
      account: GoogleAccount(members["Account"]?.map ?? [:]), recordedStatus: status,
      reason: reason.flatMap(ConnectionReason.init(rawValue:)),
      scopes: GrantedScopes(members["Scopes"]?.string ?? ""), connectedAt: moment("ConnectedAt"),
      lastRefreshedAt: members["LastRefreshedAt"]?.timestamp, accessExpiresAt: moment("AccessExpiresAt"),
      grantExpiresAt: members["GrantExpiresAt"]?.timestamp,
      grantID: GrantID(members["GrantID"]?.string ?? ""), nextUseAt: members["NextUseAt"]?.timestamp,
      deadFence: members["DeadFence"]?.integer, isOnProbation: members["IsOnProbation"]?.bool ?? false,
      // A reply that cannot be read is not repeated; then the upload is taken as new.
      lastUpload: members["LastUpload"]?.map.flatMap(RememberedUpload.init))
  }

  /// The members of a record's `Connection`.
  var members: [String: AttributeValue] {
    var members: [String: AttributeValue] = [
      "Account": .map(account.members), "Status": .string(recordedStatus.rawValue),
      "Scopes": .string(scopes.joined), "ConnectedAt": .timestamp(connectedAt),
      "AccessExpiresAt": .timestamp(accessExpiresAt), "GrantID": .string(grantID.rawValue),
      "IsOnProbation": .bool(isOnProbation),
    ]
    members["Reason"] = reason.map { .string($0.rawValue) }
    members["LastRefreshedAt"] = lastRefreshedAt.map { .timestamp($0) }
    members["GrantExpiresAt"] = grantExpiresAt.map { .timestamp($0) }
    members["NextUseAt"] = nextUseAt.map { .timestamp($0) }
    members["DeadFence"] = deadFence.map { .integer($0) }
    members["LastUpload"] = lastUpload.map { .map($0.members) }
    return members
  }

  /// This record after someone else, as the older backend, put `tokens` under the secret's name.
  func following(_ tokens: OAuthTokens, grantID: GrantID) -> GmailConnection {
    let isSame = account.isSame(as: tokens.account)
    return GmailConnection(
      account: isSame ? account : tokens.account,
      recordedStatus: tokens.refreshToken == nil ? .limited : .connected, scopes: tokens.scopes,
      connectedAt: isSame ? connectedAt : tokens.writtenAt, lastRefreshedAt: isSame ? lastRefreshedAt : nil,
      accessExpiresAt: tokens.expiresAt, grantID: grantID,
      nextUseAt: tokens.refreshToken == nil ? nil : nextUseAt ?? tokens.expiresAt)
  }

  /// This record after someone else, as the older backend, removed the secret: it does so when the grant is dead.
  var afterForeignRemoval: GmailConnection {
    guard recordedStatus != .needsReconnect else { return self }
    var record = self
    record.recordedStatus = .needsReconnect
    record.reason = .invalidGrant
    record.nextUseAt = nil
    record.isOnProbation = false
    record.lastUpload = nil
    return record
  }
}

extension GoogleAccount {
  /// Reads an account's members.
  init(_ members: [String: AttributeValue]) {
    self.init(
      subject: GoogleSubject(members["Sub"]?.string ?? ""), email: members["Email"]?.string ?? "",
      name: members["Name"]?.string ?? "", emailVerified: members["EmailVerified"]?.bool ?? false)
  }

  /// The account's members.
  var members: [String: AttributeValue] {
    [
      "Sub": .string(subject.rawValue), "Email": .string(email), "Name": .string(name),
      "EmailVerified": .bool(emailVerified),
    ]
  }
}

extension RememberedUpload {
  fileprivate init?(_ members: [String: AttributeValue]) {
    guard let fingerprint = members["Fingerprint"]?.binary, let email = members["GoogleEmail"]?.string,
      let scope = members["Scope"]?.string,
      let kind = members["Kind"]?.string.flatMap(ConnectReply.Kind.init(rawValue:))
    else { return nil }
    self.init(
      fingerprint: fingerprint,
      reply: ConnectReply(
        googleEmail: email, scope: scope, previousGoogleEmail: members["PreviousGoogleEmail"]?.string,
        kind: kind))
  }

  fileprivate var members: [String: AttributeValue] {
    var members: [String: AttributeValue] = [
      "Fingerprint": .binary(fingerprint), "GoogleEmail": .string(reply.googleEmail),
      "Scope": .string(reply.scope), "Kind": .string(reply.kind.rawValue),
    ]
    members["PreviousGoogleEmail"] = reply.previousGoogleEmail.map { .string($0) }
    return members
  }
}
