import Primitives

/// What a request to AWS is signed with.
package struct AWSCredentials: Sendable, Hashable {
  /// Names the key; it is sent, and is no secret.
  package let accessKeyID: String
  /// Signs; it is never sent.
  package let secretAccessKey: Secret
  /// Goes with temporary credentials, as every role's are: sent and signed with each request.
  package let sessionToken: Secret?
  /// When AWS stops accepting them; nil when that is not known.
  package let expiration: Timestamp?

  /// Credentials.
  package init(
    accessKeyID: String, secretAccessKey: Secret, sessionToken: Secret? = nil, expiration: Timestamp? = nil
  ) {
    self.accessKeyID = accessKeyID
    self.secretAccessKey = secretAccessKey
    self.sessionToken = sessionToken
    self.expiration = expiration
  }
}
