import API
import AWS
import Cryptography
import Domain
import Google
import HTTP
import Primitives

extension Function {
  /// What has to follow a call to Google gets so long before the deadline: a token that Google has just given may be
  /// nowhere else.
  private static let timeToStore: Duration = .seconds(5)

  /// The function of the process with `environment`; AWS and Google are reached through `client`.
  static func assemble(
    environment: [String: String], client: any HTTPClient, deadline: InvocationDeadline, log: Log
  ) async throws(LambdaFailure) -> Function {
    let options = try FunctionOptions(environment: environment)
    let time = deadline.limiting(.system)
    let aws = try awsClient(environment, client, deadline: deadline, time: time, log: log)
    let stores = stores(options, aws, time: time, log: log)
    let endpoints = GoogleEndpoints(baseURL: options.googleBaseURL)
    let toGoogle = deadline.limiting(client, reserve: timeToStore, time: time)
    let oauth = GoogleOAuthClient(client: toGoogle, endpoints: endpoints, log: log)
    let mailbox = GmailMailbox(client: toGoogle, endpoints: endpoints)
    let parts = BackendParts(
      passwords: BcryptPasswords(try passwordHasher()), limitsRates: options.limitsRates, log: log, time: time
    )
    let live = try await LiveBackend(
      read: ReadSecretSettings(SecretsManager(client: aws), options: options, log: log).callAsFunction,
      build: { settings in
        Backend(
          BackendSettings(
            jwtSecret: settings.jwtSecret, policy: .refreshesOnDemand, trustedProxies: options.trustedProxies,
            hidesUnknownUsers: options.hidesUnknownUsers),
          stores: stores,
          google: GoogleAccess(
            oauth: oauth, mailbox: mailbox,
            configuration: GoogleConfiguration(
              clientIDs: settings.googleClientIDs.map { GoogleClientID($0) }, baseURL: endpoints.baseURL)),
          parts: parts)
      }, time: time, log: log)
    return Function(
      live: live, basePath: options.basePath,
      enqueue: { tasks throws(LambdaFailure) in
        try await enqueue(tasks, SQS(client: aws), url: options.grantsQueueURL)
      }, deadline: deadline, time: time, log: log)
  }

  private static func stores(
    _ options: FunctionOptions, _ client: AWSClient, time: TimeSource, log: Log
  ) -> Stores {
    let stores = AWSStores(
      client: client, settings: options.stores, time: time, random: .system, log: log)
    return Stores(
      users: stores.users, vault: stores.vault, revocations: stores.revocations, ledger: stores.ledger,
      isReady: {
        // Whether a table can be written is known when it is; that it can be read is as near as one gets for free.
        do { _ = try await stores.users.user(UserID("nobody")) } catch { return false }
        return true
      })
  }

  private static func awsClient(
    _ environment: [String: String], _ client: any HTTPClient, deadline: InvocationDeadline, time: TimeSource,
    log: Log
  ) throws(LambdaFailure) -> AWSClient {
    do {
      return AWSClient(
        configuration: try AWSConfiguration(environment: environment),
        credentials: try ProcessCredentials.process(environment: environment, http: client, time: time),
        http: client, time: time, random: .system, log: log, deadline: { deadline.current })
    } catch {
      // Both errors name a variable, and never its value.
      throw LambdaFailure(
        type: "Runtime.InvalidSetting", message: "AWS cannot be used with this environment: \(error).")
    }
  }

  private static func passwordHasher() throws(LambdaFailure) -> PasswordHasher {
    do { return try PasswordHasher() } catch {
      throw LambdaFailure(type: "Runtime.NoPasswordHashing", message: "bcrypt is not to be had.")
    }
  }

  private static func enqueue(_ tasks: [QueuedTask], _ queue: SQS, url: String?) async throws(LambdaFailure) {
    guard !tasks.isEmpty else { return }
    guard let url else { throw .invalidSetting("PAYPULSE_GRANTS_QUEUE_URL") }
    do throws(AWSError) { try await queue.sendMessages(tasks.map(\.message), to: url) } catch {
      throw .notDone("Not all grants that are due could be handed on.")
    }
  }
}
