import AWS
import Domain
import HTTP
import Primitives

/// Where accounts are in AWS, by the environment. Each variable means what it means to `paypulse-lambda`.
struct AWSOptions {
  let tables: StoreTables
  let tokens: AWSStores.TokenPlacement
  let kmsKey: String
  let environment: [String: String]

  /// What `environment` says.
  init(environment: [String: String]) throws(UsageError) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let placement = value("PAYPULSE_VAULT") ?? AWSStores.TokenPlacement.secretsManager.rawValue
    guard let tokens = AWSStores.TokenPlacement(rawValue: placement) else {
      throw UsageError("PAYPULSE_VAULT must be secrets-manager or dynamodb.")
    }
    self.tokens = tokens
    self.environment = environment
    tables = StoreTables(users: value("USERS_TABLE") ?? "Users", own: value("PAYPULSE_TABLE") ?? "PayPulse")
    kmsKey = value("PAYPULSE_KMS_KEY") ?? "alias/paypulse-tokens"
  }

  /// The accounts there, reached through `http`.
  func connect(through http: any HTTPClient, log: Log) throws(UsageError) -> AWSAccounts {
    let configuration: AWSConfiguration
    let credentials: ProcessCredentials
    do throws(AWSConfigurationError) {
      configuration = try AWSConfiguration(environment: environment)
    } catch {
      throw error.usage
    }
    do throws(CredentialError) {
      credentials = try .process(environment: environment, http: http, time: .system)
    } catch {
      throw error.usage
    }
    var policy = RetryPolicy()
    policy.maximumAttempts = 8
    let client = AWSClient(
      configuration: configuration, credentials: credentials, http: http, time: .system, random: .system,
      log: log, policy: policy)
    let stores = AWSStores(
      client: client, tables: tables, kmsKey: kmsKey, tokens: tokens, time: .system, random: .system, log: log
    )
    return AWSAccounts(
      accounts: AccountPlace(users: stores.users, vault: stores.vault, revocations: stores.revocations),
      description:
        "AWS (\(configuration.region); tables \(tables.users), \(tables.own); vault \(tokens.rawValue))",
      tables: tables, dynamoDB: DynamoDB(client: client))
  }
}

extension AWSConfigurationError {
  fileprivate var usage: UsageError {
    switch self {
    case .noRegion: UsageError("Set AWS_REGION to the region that the tables are in.")
    case .invalidSetting(let name): UsageError("\(name) cannot be used as it is: correct it.")
    }
  }
}

extension CredentialError {
  fileprivate var usage: UsageError {
    switch self {
    case .missing:
      UsageError(
        "There are no AWS credentials: set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, as "
          + "'aws configure export-credentials --format env' prints them.")
    case .invalidSetting(let name): UsageError("\(name) cannot be used as it is: correct it.")
    case .unavailable: UsageError("The endpoint that gives out AWS credentials does not answer.")
    }
  }
}
