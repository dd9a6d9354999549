import Domain
import Primitives

/// Every store that the domain needs, on AWS.
package struct AWSStores: Sendable {
  /// Where tokens are kept.
  package enum TokenPlacement: String, Sendable, CaseIterable {
    /// In Secrets Manager, as the older backend keeps them.
    case secretsManager = "secrets-manager"
    /// In DynamoDB, sealed by KMS.
    case dynamoDB = "dynamodb"
  }

  /// Users.
  package let users: DynamoDBUserStore
  /// Connections.
  package let vault: any TokenVault
  /// Revocations owed.
  package let revocations: DynamoDBRevocationQueue
  /// Counts of refreshes.
  package let ledger: DynamoDBRefreshLedger

  /// The stores that `settings` name, over `client`.
  package init(
    client: AWSClient, settings: StoreSettings, time: TimeSource, random: RandomSource, log: Log
  ) {
    self.init(
      client: client, tables: settings.tables, kmsKey: settings.kmsKey, tokens: settings.tokens, time: time,
      random: random, log: log)
  }

  /// The stores over `client`. `kmsKey` (an id, an ARN or an alias) seals revocations owed, and tokens where they
  /// are in DynamoDB.
  package init(
    client: AWSClient, tables: StoreTables, kmsKey: String, tokens: TokenPlacement, time: TimeSource,
    random: RandomSource, log: Log
  ) {
    let failure = StoreFailure(log: log)
    let dynamoDB = DynamoDB(client: client)
    let sealer = KMSSealer(kms: KMS(client: client), key: kmsKey, failure: failure)
    func connections(_ place: any TokenPlace) -> ConnectionStore {
      ConnectionStore(
        dynamoDB: dynamoDB, tables: tables, place: place, sealer: sealer, time: time, random: random,
        failure: failure)
    }
    switch tokens {
    case .secretsManager:
      let secrets = SecretsManagerPlace(secrets: SecretsManager(client: client), failure: failure)
      let vault = SecretsManagerTokenVault(connections: connections(secrets))
      self.vault = vault
      users = DynamoDBUserStore(vault.connections)
    case .dynamoDB:
      let items = SealedItemPlace(dynamoDB: dynamoDB, tables: tables, sealer: sealer, failure: failure)
      let vault = DynamoDBTokenVault(connections: connections(items))
      self.vault = vault
      users = DynamoDBUserStore(vault.connections)
    }
    revocations = DynamoDBRevocationQueue(
      dynamoDB: dynamoDB, tables: tables, sealer: sealer, failure: failure)
    ledger = DynamoDBRefreshLedger(dynamoDB: dynamoDB, tables: tables, random: random, failure: failure)
  }
}
