import AWS
import HTTP
import Primitives
import TestSupport
import Testing

@Suite("Every call that PayPulse makes, on moto")
struct EveryCallTests {
  @Test("is signed as botocore would sign it", arguments: SignatureJudge.tokens)
  func signatures(token: String?) async throws {
    let world = try await MotoWorld.new()
    let http = JudgedHTTPClient(MotoWorld.http)
    let client = AWSClient(
      configuration: try AWSConfiguration(environment: world.environment),
      credentials: FixedCredentials(SignatureJudge.credentials(token: token)), http: http, time: .system,
      random: .system, log: .silent)
    try await useDynamoDB(client)
    try await useSecretsManager(client)
    let key = try await client.makeKey()
    let pair = try await KMS(client: client).generateDataKey(key, context: ["user": "å ä"])
    _ = try await KMS(client: client).decrypt(pair.wrapped, context: ["user": "å ä"])
    try await SQS(client: client).sendMessages(["å"], to: try await client.makeQueue("jobs"))
    let targets =
      DynamoDBAction.allCases.map { "DynamoDB_20120810." + $0.rawValue }
      + SecretsManagerAction.allCases.map { "secretsmanager." + $0.rawValue }
      + KMSAction.allCases.map { "TrentService." + $0.rawValue }
      + SQSAction.allCases.map { "AmazonSQS." + $0.rawValue }
    #expect(Set(targets).subtracting(http.passed).isEmpty)
  }

  private func useDynamoDB(_ client: AWSClient) async throws {
    let database = DynamoDB(client: client)
    try await database.createTable(TableDefinition("t", partition: .init("id")))
    try await database.putItem("t", ["id": "å b", "n": 1])
    try await database.updateItem("t", key: ["id": "å b"], .set(["n": 2]))
    _ = try await database.getItem("t", key: ["id": "å b"])
    _ = try await database.batchGetItems([.init(table: "t", keys: [["id": "å b"]])])
    _ = try await database.items(of: DynamoDBQuery("t", keys: "\(name: "id") = \("å b")"))
    _ = try await database.items(of: DynamoDBQuery("t", keys: nil))
    try await database.transactWriteItems([.put(table: "t", ["id": "c"])])
    try await database.deleteItem("t", key: ["id": "c"])
  }

  private func useSecretsManager(_ client: AWSClient) async throws {
    let secrets = SecretsManager(client: client)
    let name = "gmail/user/å b"
    try await secrets.createSecret(name, Secret("ett"), version: client.token())
    try await secrets.putSecretValue(name, Secret("två"), version: client.token())
    #expect(try await secrets.secretValue(name).text == Secret("två"))
    _ = try await secrets.describeSecret(name)
    try await secrets.deleteSecret(name, .afterWindow(days: 7))
    try await secrets.restoreSecret(name)
  }
}

/// Always the same credentials.
struct FixedCredentials: CredentialSource {
  private let fixed: AWSCredentials

  init(_ fixed: AWSCredentials) { self.fixed = fixed }

  func credentials(rejecting rejected: AWSCredentials?) async throws(CredentialError) -> AWSCredentials {
    fixed
  }
}
