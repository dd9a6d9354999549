import Domain
import Primitives

/// The secret `gmail/user/{user_id}` in AWS Secrets Manager, in the older backend's JSON. What is set aside is that
/// secret, scheduled for deletion; a value that does not open is copied to `gmail/aside/{user_id}/{version}`.
struct SecretsManagerPlace: TokenPlace {
  let secrets: SecretsManager
  let failure: StoreFailure

  /// For how many days a secret that is set aside can be restored.
  static let window = 7
  /// How often a write finds that the secret came, went or is about to go before it gives up.
  private static let mostTurns = 8

  var changesAfterRecord: Bool { true }

  /// The secret's name.
  static func name(of user: UserID) -> String { "gmail/user/" + user.rawValue }

  func keptName(of user: UserID, version: String) -> String { "gmail/aside/\(user)/\(version)" }

  func itemKeys(of user: UserID) -> [DynamoDBItem] { [] }

  // MARK: Reading

  func find(_ user: UserID) async throws(StoreError) -> FoundValue? {
    do throws(AWSError) {
      return .value(Self.stored(try await secrets.secretValue(Self.name(of: user))))
    } catch {
      if error.failure?.isNotFound ?? false { return .absent }
      if error.failure?.isScheduledForDeletion ?? false { return .aside }
      throw failure.error(error, in: "reading a secret")
    }
  }

  func find(_ user: UserID, in items: [DynamoDBItem], record: ConnectionRecord) async throws(StoreError)
    -> FoundValue
  {
    try await find(user) ?? .absent
  }

  func value(of user: UserID, version: String) async throws(StoreError) -> StoredValue? {
    do throws(AWSError) {
      return Self.stored(try await secrets.secretValue(Self.name(of: user), version: .id(version)))
    } catch {
      guard let refusal = error.failure, refusal.isNotFound || refusal.isScheduledForDeletion else {
        throw failure.error(error, in: "reading a version of a secret")
      }
      return nil
    }
  }

  func openAside(of user: UserID, _ aside: RecordedAside) async throws(StoreError) -> StoredValue? {
    do throws(AWSError) { try await secrets.restoreSecret(Self.name(of: user)) } catch {
      // What is gone, or there already, is no failure.
      guard error.failure != nil else { throw failure.error(error, in: "restoring a secret to revoke it") }
    }
    return try await value(of: user, version: aside.version)
  }

  private static func stored(_ value: SecretValue) -> StoredValue {
    value.text.map { StoredValue(version: value.versionID, text: $0) }
      ?? StoredValue(unusable: value.versionID)
  }

  // MARK: Writing

  func prepare(_ change: PlaceChange, of user: UserID) async throws(StoreError) -> [TransactionWrite] {
    guard let kept = change.keeps else { return [] }
    guard let text = kept.value.text else {
      // Bytes: no program that shares these secrets writes them, and no copy could be made.
      failure.log.alert("secret_holds_bytes", [("advice", "Remove or replace it by hand; it is kept.")])
      throw .unavailable
    }
    do throws(AWSError) {
      try await secrets.createSecret(
        kept.name, text, version: kept.value.version, description: "A value that PayPulse could not read")
    } catch {
      // It was copied before by someone who did not come to an end.
      guard error.failure?.isAlreadyThere ?? false else {
        throw failure.error(error, in: "keeping a value that does not open")
      }
    }
    return []
  }

  func carryOut(_ change: PlaceChange, of user: UserID) async throws(PlaceError) {
    do throws(AWSError) {
      switch change.step {
      case .keep: break
      case .put(let value): try await put(value, over: change.found, of: user)
      case .remove: try await remove(change.found, of: user)
      case .setAside: try await setAside(user)
      case .restore(let version):
        // One whose deletion was on record and never begun is there already.
        if change.found.value?.version != version { try await secrets.restoreSecret(Self.name(of: user)) }
      }
      for name in change.destroys { try await secrets.deleteSecret(name, .forced) }
    } catch {
      if error.failure.map({ $0.isAlreadyThere || $0.isNotFound }) ?? false { throw .overtaken }
      _ = failure.error(error, in: "writing a secret")
      throw error.mayHaveBeenDone ? .unknown : .notDone
    }
  }

  private enum Turn { case create, put, restore }

  /// The secret may come, go, or be about to go at any moment: whatever is met is dealt with.
  private func put(_ value: PlaceChange.NewValue, over found: FoundValue, of user: UserID)
    async throws(AWSError)
  {
    let (name, text) = (Self.name(of: user), Self.json(value))
    var turn: Turn =
      switch found {
      case .absent: .create
      case .aside: .restore
      case .value: .put
      }
    for attempt in 1... {
      do throws(AWSError) {
        switch turn {
        case .create: return try await secrets.createSecret(name, text, version: value.version)
        case .put: return try await secrets.putSecretValue(name, text, version: value.version)
        case .restore:
          try await secrets.restoreSecret(name)
          turn = .put
        }
      } catch {
        guard attempt < Self.mostTurns, let next = Self.turn(after: turn, error, isFirst: value.isFirst)
        else {
          throw error
        }
        // A forced deletion takes some seconds, in which the name is refused and nothing can be restored.
        if turn == .restore { try await secrets.client.breathe(afterAttempt: attempt + 1) }
        turn = next
      }
    }
  }

  private static func turn(after turn: Turn, _ error: AWSError, isFirst: Bool) -> Turn? {
    guard let failure = error.failure else { return nil }
    // What was there is gone, or what is there was not: somebody else did that, perhaps for good. To make the secret
    // all the same could bring back that of a user who was removed.
    switch turn {
    case .create, .put: return failure.isScheduledForDeletion ? .restore : nil
    case .restore:
      guard failure.isScheduledForDeletion || failure.isNotFound else { return nil }
      return isFirst ? .create : failure.isNotFound ? nil : .restore
    }
  }

  private func remove(_ found: FoundValue, of user: UserID) async throws(AWSError) {
    if case .absent = found { return }
    let name = Self.name(of: user)
    do throws(AWSError) { try await secrets.deleteSecret(name, .forced) } catch {
      // One that is on its way already may have to be brought back to go at once.
      guard error.failure?.isScheduledForDeletion ?? false else { throw error }
      try await secrets.restoreSecret(name)
      try await secrets.deleteSecret(name, .forced)
    }
  }

  private func setAside(_ user: UserID) async throws(AWSError) {
    do throws(AWSError) {
      try await secrets.deleteSecret(Self.name(of: user), .afterWindow(days: Self.window))
    } catch {
      // Gone already, or on its way.
      guard let refusal = error.failure, refusal.isNotFound || refusal.isScheduledForDeletion else {
        throw error
      }
    }
  }

  /// The older backend's members and ours; `fence` counts the writes, so that a late one can be told.
  private static func json(_ value: PlaceChange.NewValue) -> Secret {
    var members = value.tokens.members
    members["fence"] = .integer(value.fence)
    return Secret(String(decoding: JSONValue.object(members).serialized, as: UTF8.self))
  }
}
