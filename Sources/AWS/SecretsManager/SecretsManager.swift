import Primitives

/// AWS Secrets Manager's actions, typed. Whatever makes a version carries its id as the request's token, so that a
/// repetition changes nothing.
package struct SecretsManager: Sendable {
  let client: AWSClient

  /// The actions over `client`.
  package init(client: AWSClient) { self.client = client }

  /// Which version of a secret.
  package enum Version: Sendable, Hashable {
    /// The one staged `AWSCURRENT`.
    case current
    /// The one with that id.
    case id(String)
  }

  /// The value of the secret named `name`. Fails with a failure that `isNotFound`, or `isScheduledForDeletion`.
  package func secretValue(_ name: String, version: Version = .current) async throws(AWSError) -> SecretValue
  {
    let reply = try await call(.getSecretValue) { text in
      text.member("SecretId", name)
      if case .id(let id) = version { text.member("VersionId", id) }
    }
    guard let id = reply["VersionId"]?.string else { throw .unavailable }
    return SecretValue(versionID: id, text: reply["SecretString"]?.string.map { Secret($0) })
  }

  /// Gives the secret named `name` the value `text`, which becomes its current one, under the version id `version`
  /// (32 to 64 characters). Fails with a failure that `isAlreadyThere` when that version has another value.
  package func putSecretValue(_ name: String, _ text: Secret, version: String) async throws(AWSError) {
    _ = try await call(.putSecretValue) { json in
      json.member("SecretId", name)
      json.member("ClientRequestToken", version)
      json.member("SecretString", text.expose())
    }
  }

  /// What is known of the secret named `name` besides its value.
  package func describeSecret(_ name: String) async throws(AWSError) -> SecretDescription {
    let reply = try await call(.describeSecret) { $0.member("SecretId", name) }
    let stages = reply["VersionIdsToStages"]?.object ?? [:]
    let current = stages.first { $0.value.array?.contains("AWSCURRENT") ?? false }
    return SecretDescription(
      currentVersionID: current?.key, versionIDs: Set(stages.keys),
      isScheduledForDeletion: reply["DeletedDate"].map { $0 != .null } ?? false)
  }

  /// How a secret is removed.
  package enum Removal: Sendable, Hashable {
    /// After so many days, 7 to 30; until then it can be restored.
    case afterWindow(days: Int)
    /// At once and for good. Its name may stay refused for some seconds.
    case forced
  }

  /// Removes the secret named `name`. A forced removal of one that does not exist succeeds. Fails with a failure that
  /// `isScheduledForDeletion` when it is being removed already.
  package func deleteSecret(_ name: String, _ removal: Removal) async throws(AWSError) {
    do throws(AWSError) {
      _ = try await call(.deleteSecret) { text in
        text.member("SecretId", name)
        switch removal {
        case .afterWindow(let days): text.member("RecoveryWindowInDays", Int64(days))
        case .forced: text.member("ForceDeleteWithoutRecovery", true)
        }
      }
    } catch {
      // The first attempt's answer was lost, and it had worked.
      guard let failure = error.failure, failure.followsUnknownOutcome, failure.isScheduledForDeletion else {
        throw error
      }
    }
  }

  /// Takes back the removal of the secret named `name`. Fails with a failure that `isNotFound` when it is gone.
  package func restoreSecret(_ name: String) async throws(AWSError) {
    _ = try await call(.restoreSecret) { $0.member("SecretId", name) }
  }

  func call(_ action: SecretsManagerAction, _ members: (inout JSONText) -> Void) async throws(AWSError)
    -> JSONValue
  {
    var text = JSONText(capacity: 1024)
    text.object(members)
    return try await client.call(action, body: text.bytes)
  }
}

/// A version of a secret.
package struct SecretValue: Sendable {
  /// The version's id: the token of the request that made it.
  package let versionID: String
  /// The text; nil when the version holds bytes instead.
  package let text: Secret?
}

/// What is known of a secret besides its value.
package struct SecretDescription: Sendable {
  /// The version staged `AWSCURRENT`.
  package let currentVersionID: String?
  /// Every version with a stage.
  package let versionIDs: Set<String>
  /// Whether it is being removed.
  package let isScheduledForDeletion: Bool
}
