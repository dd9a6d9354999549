import AWS
import Domain
import HTTP
import Primitives

/// Where accounts are in AWS, by the environment. Each variable means what it means to `paypulse-lambda`.
struct AWSOptions {
  private let stores: StoreSettings
  private let environment: [String: String]

  /// What `environment` says.
  init(environment: [String: String]) throws(UsageError) {
    self.environment = environment
    do throws(AWSConfigurationError) { stores = try StoreSettings(environment: environment) } catch {
      throw UsageError("PAYPULSE_VAULT must be secrets-manager or dynamodb.")
    }
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
    let opened = AWSStores(client: client, settings: stores, time: .system, random: .system, log: log)
    let tables = stores.tables
    return AWSAccounts(
      accounts: AccountPlace(users: opened.users, vault: opened.vault, revocations: opened.revocations),
      description:
        "AWS (\(configuration.region); tables \(tables.users), \(tables.own); vault \(stores.tokens.rawValue))",
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
