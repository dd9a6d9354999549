import Primitives

extension SecretsManager {
  /// Makes the secret named `name` with the value `text` under the version id `version` (32 to 64 characters).
  /// Fails with a failure that `isAlreadyThere` when the name is taken, and `isScheduledForDeletion` when it belongs
  /// to a secret that is being removed.
  ///
  /// A forced removal takes some seconds during which the name is refused so too. A caller who knows that the old
  /// one was removed so gives its `patience`: so long the request is repeated.
  package func createSecret(
    _ name: String, _ text: Secret, version: String, description: String? = nil, patience: Duration = .zero
  ) async throws(AWSError) {
    let end = client.now + patience
    var attempt = 1
    while true {
      do throws(AWSError) {
        return try await createOnce(name, text, version: version, description: description)
      } catch {
        guard error.failure?.isScheduledForDeletion ?? false, client.now < end else { throw error }
        attempt += 1
        try await client.breathe(afterAttempt: attempt)
      }
    }
  }

  private func createOnce(_ name: String, _ text: Secret, version: String, description: String?)
    async throws(AWSError)
  {
    _ = try await call(.createSecret) { json in
      json.member("Name", name)
      json.member("ClientRequestToken", version)
      json.member("Description", description)
      json.member("SecretString", text.expose())
    }
  }
}
