/// Which stores on AWS are meant, as the environment says it to every program of ours.
///
/// | Variable | Meaning | Default |
/// |---|---|---|
/// | `USERS_TABLE` | table of the users | `Users` |
/// | `PAYPULSE_TABLE` | table of everything else | `PayPulse` |
/// | `PAYPULSE_VAULT` | `secrets-manager` or `dynamodb` | `secrets-manager` |
/// | `PAYPULSE_KMS_KEY` | the key that seals revocations owed, and tokens in `dynamodb`: an id, an ARN or an alias | `alias/paypulse-tokens` |
package struct StoreSettings: Sendable {
  /// The tables.
  package let tables: StoreTables
  /// Where tokens are kept.
  package let tokens: AWSStores.TokenPlacement
  /// Seals revocations owed, and tokens in the table.
  package let kmsKey: String

  /// What `environment` says; fails with the name of a variable that cannot be used.
  package init(environment: [String: String]) throws(AWSConfigurationError) {
    tables = StoreTables(
      users: environment.filled("USERS_TABLE") ?? "Users",
      own: environment.filled("PAYPULSE_TABLE") ?? "PayPulse")
    let placement = environment.filled("PAYPULSE_VAULT") ?? AWSStores.TokenPlacement.secretsManager.rawValue
    guard let tokens = AWSStores.TokenPlacement(rawValue: placement) else {
      throw .invalidSetting(name: "PAYPULSE_VAULT")
    }
    self.tokens = tokens
    kmsKey = environment.filled("PAYPULSE_KMS_KEY") ?? "alias/paypulse-tokens"
  }
}
