import Primitives

/// The credentials in the environment, which stay the same as long as the process lives: a person's, and those of
/// a Lambda function's role, whose session token is always there.
package struct EnvironmentCredentials: CredentialSource {
  private let fixed: AWSCredentials

  /// Those that `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN` hold; nil without the first two.
  package init?(environment: [String: String]) {
    guard let id = environment.filled("AWS_ACCESS_KEY_ID"),
      let secret = environment.filled("AWS_SECRET_ACCESS_KEY")
    else { return nil }
    fixed = AWSCredentials(
      accessKeyID: id, secretAccessKey: Secret(secret),
      sessionToken: environment.filled("AWS_SESSION_TOKEN").map { Secret($0) })
  }

  /// Always the same.
  package func credentials(rejecting rejected: AWSCredentials?) async throws(CredentialError)
    -> AWSCredentials
  { fixed }
}

extension [String: String] {
  /// The variable's value, unless it is not set or empty.
  func filled(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
}
