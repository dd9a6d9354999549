import AWS
import Primitives

/// What is kept in Secrets Manager, because it is secret or changes without a new deployment.
package struct SecretSettings: Sendable, Hashable {
  /// Signs sessions.
  package let jwtSecret: Secret
  /// Our client IDs at Google.
  package let googleClientIDs: [String]

  /// Settings.
  package init(jwtSecret: Secret, googleClientIDs: [String]) {
    self.jwtSecret = jwtSecret
    self.googleClientIDs = googleClientIDs
  }
}

/// Reads the settings; what the environment says instead is not asked for.
struct ReadSecretSettings: Sendable {
  /// The secrets' names, which the older backend uses too.
  static let jwtSecretName = "PayPulseAppJWTSecret"
  static let googleClientIDName = "Google-OAuth-Client-ID"

  private let secrets: SecretsManager
  private let jwtSecret: Secret?
  private let googleClientIDs: [String]?
  private let log: Log

  init(_ secrets: SecretsManager, options: FunctionOptions, log: Log) {
    self.secrets = secrets
    jwtSecret = options.jwtSecret
    googleClientIDs = options.googleClientIDs
    self.log = log
  }

  /// The settings as they are now.
  func callAsFunction() async throws(LambdaFailure) -> SecretSettings {
    async let ids = Self.result { () async throws(LambdaFailure) in try await clientIDs() }
    let key = try await sessionKey()
    return SecretSettings(jwtSecret: key, googleClientIDs: try await ids.get())
  }

  private static func result<Value: Sendable>(
    _ work: () async throws(LambdaFailure) -> Value
  ) async -> Result<Value, LambdaFailure> {
    do throws(LambdaFailure) { return .success(try await work()) } catch { return .failure(error) }
  }

  private func sessionKey() async throws(LambdaFailure) -> Secret {
    if let jwtSecret { return jwtSecret }
    guard let key = try await text(of: Self.jwtSecretName), !key.isEmpty else {
      throw .missingSecret(Self.jwtSecretName)
    }
    return key
  }

  /// Without a client ID connecting Gmail is refused, and everything else works.
  private func clientIDs() async throws(LambdaFailure) -> [String] {
    if let googleClientIDs { return googleClientIDs }
    let text = try await text(of: Self.googleClientIDName)?.expose() ?? ""
    let ids = text.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init)
    if ids.isEmpty {
      log.warning(
        "google_client_id_missing", [("advice", "Put our client ID into the secret Google-OAuth-Client-ID.")])
    }
    return ids
  }

  /// The value of a secret; nil when there is none.
  private func text(of name: String) async throws(LambdaFailure) -> Secret? {
    do throws(AWSError) { return try await secrets.secretValue(name).text } catch {
      if error.failure?.isNotFound ?? false { return nil }
      throw .unreadableSecret(name)
    }
  }
}

extension LambdaFailure {
  fileprivate static func missingSecret(_ name: String) -> LambdaFailure {
    LambdaFailure(type: "Runtime.MissingSecret", message: "The secret \(name) does not exist or is empty.")
  }

  fileprivate static func unreadableSecret(_ name: String) -> LambdaFailure {
    LambdaFailure(type: "Runtime.UnreadableSecret", message: "The secret \(name) cannot be read.")
  }
}
