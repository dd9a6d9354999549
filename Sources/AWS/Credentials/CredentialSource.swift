/// Where the credentials to sign with come from.
package protocol CredentialSource: Sendable {
  /// Credentials that are good at present. `rejected` names those that AWS has just refused: a source that can
  /// get others does; one that can't gives the same ones again.
  func credentials(rejecting rejected: AWSCredentials?) async throws(CredentialError) -> AWSCredentials
}

/// Why there are no credentials. Holds nothing of them.
package enum CredentialError: Error, Sendable, Hashable {
  /// The environment names none.
  case missing
  /// An environment variable cannot be used as it is.
  case invalidSetting(name: String)
  /// The endpoint that gives them out does not, at present.
  case unavailable
}
