import AWS
import HTTP
import Primitives
import TestSupport
import Testing

@Suite("moto with authentication switched on")
struct AuthenticationTests {
  @Test("accepts our signature, and refuses a wrong key and an unknown one")
  func authentication() async throws {
    let server = try await PythonServer.start(
      "acceptance/aws/serial_moto.py", environment: ["INITIAL_NO_AUTH_ACTION_COUNT": "3"])
    let good = try await Identity(server.url).makeUser()
    func write(_ id: String, _ secret: Secret) async throws {
      let client = try makeClient(server.url, AWSCredentials(accessKeyID: id, secretAccessKey: secret))
      let database = DynamoDB(client: client)
      let name = "t-" + client.token()
      try await database.createTable(TableDefinition(name, partition: .init("id")))
      try await database.putItem(name, ["id": "å"])
      try await SecretsManager(client: client).createSecret(name, Secret("x"), version: client.token())
    }
    try await write(good.accessKeyID, good.secretAccessKey)
    await #expect(throws: AWSError.denied(code: "SignatureDoesNotMatch")) {
      try await write(good.accessKeyID, Secret("wrong"))
    }
    await #expect(throws: AWSError.denied(code: "InvalidClientTokenId")) {
      try await write("AKIAUNKNOWN", good.secretAccessKey)
    }
  }

  private func makeClient(_ url: String, _ credentials: AWSCredentials) throws -> AWSClient {
    AWSClient(
      configuration: try AWSConfiguration(environment: ["AWS_REGION": "eu-north-1", "AWS_ENDPOINT_URL": url]),
      credentials: FixedCredentials(credentials), http: MotoWorld.http, time: .system, random: .system,
      log: .silent)
  }
}

/// AWS's IAM, as far as it takes to make a user who may do everything.
private struct Identity {
  private let endpoint: ServiceEndpoint
  private let signer = RequestSigner(service: "iam", region: "us-east-1", time: .system)

  init(_ url: String) throws { endpoint = try #require(ServiceEndpoint(url: url)) }

  func makeUser() async throws -> AWSCredentials {
    let policy = #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]}"#
    _ = try await call("CreateUser")
    _ = try await call("PutUserPolicy", [("PolicyName", "all"), ("PolicyDocument", policy)])
    let reply = try await call("CreateAccessKey")
    return AWSCredentials(
      accessKeyID: try element("AccessKeyId", in: reply),
      secretAccessKey: Secret(try element("SecretAccessKey", in: reply)))
  }

  private func call(_ action: String, _ parameters: [(String, String)] = []) async throws -> String {
    let form = [("Action", action), ("Version", "2010-05-08"), ("UserName", "tester")] + parameters
    let request = AWSRequest(
      endpoint: endpoint, fields: ["Content-Type": "application/x-www-form-urlencoded"],
      body: FormCoding.encoded(form))
    let credentials = AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: Secret("any"))
    return String(
      decoding: try await MotoWorld.http.send(signer.sign(request, with: credentials)).body, as: UTF8.self)
  }

  private func element(_ name: String, in xml: String) throws -> String {
    let match = try #require(xml.firstMatch(of: try Regex("<\(name)>([^<]+)</\(name)>")))
    return String(try #require(match.output[1].substring))
  }
}
