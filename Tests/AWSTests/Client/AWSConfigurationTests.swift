import AWS
import Testing

@Suite("Region and endpoints")
struct AWSConfigurationTests {
  private func url(_ service: AWSService, _ environment: [String: String]) throws -> String? {
    let endpoint = try AWSConfiguration(environment: environment).endpoint(of: service)
    return endpoint.map { $0.origin + $0.pathPrefix }
  }

  @Test("a service of a region is at AWS's own address")
  func regions() throws {
    #expect(
      try url(.secretsManager, ["AWS_REGION": "eu-north-1"])
        == "https://secretsmanager.eu-north-1.amazonaws.com")
    #expect(
      try url(.dynamoDB, ["AWS_DEFAULT_REGION": "cn-north-1"])
        == "https://dynamodb.cn-north-1.amazonaws.com.cn")
    #expect(
      try AWSConfiguration(environment: ["AWS_REGION": "a", "AWS_DEFAULT_REGION": "b"]).region == "a")
  }

  @Test("an endpoint of one's own is for all services or for one")
  func endpoints() throws {
    let environment = [
      "AWS_REGION": "eu-north-1", "AWS_ENDPOINT_URL": "http://127.0.0.1:5000/",
      "AWS_ENDPOINT_URL_SECRETS_MANAGER": "https://vault.example:8443/aws/", "AWS_ENDPOINT_URL_KMS": "",
    ]
    #expect(try url(.dynamoDB, environment) == "http://127.0.0.1:5000")
    #expect(try url(.kms, environment) == "http://127.0.0.1:5000")
    #expect(try url(.secretsManager, environment) == "https://vault.example:8443/aws")
  }

  @Test("the Host field leaves out the scheme's own port alone")
  func hosts() throws {
    #expect(ServiceEndpoint(url: "https://a.example:443")?.host == "a.example")
    #expect(ServiceEndpoint(url: "http://a.example:80")?.host == "a.example")
    #expect(ServiceEndpoint(url: "http://a.example:443")?.host == "a.example:443")
    #expect(ServiceEndpoint(url: "http://[::1]:5000/x")?.host == "[::1]:5000")
  }

  @Test("what cannot be used is refused by its name, not its value")
  func refusals() {
    #expect(throws: AWSConfigurationError.noRegion) { try AWSConfiguration(environment: [:]) }
    #expect(throws: AWSConfigurationError.invalidSetting(name: "AWS_REGION")) {
      try AWSConfiguration(environment: ["AWS_REGION": "evil.example/"])
    }
    for url in [
      "ftp://x", "x", "http://", "http:///x", "http://a b", "http://u:p@x", "http://x?q", "http://å",
    ] {
      #expect(throws: AWSConfigurationError.invalidSetting(name: "AWS_ENDPOINT_URL_SQS")) {
        try AWSConfiguration(environment: ["AWS_REGION": "r", "AWS_ENDPOINT_URL_SQS": url])
      }
    }
  }

  @Test("no two actions share a name within a service, and permissions name the service")
  func permissions() {
    #expect(DynamoDBAction.getItem.permissions == ["dynamodb:GetItem"])
    #expect(SecretsManagerAction.putSecretValue.permissions == ["secretsmanager:PutSecretValue"])
    #expect(SQSAction.sendMessageBatch.permissions == ["sqs:SendMessage"])
    #expect(!DynamoDBAction.transactWriteItems.permissions.contains("dynamodb:TransactWriteItems"))
  }
}
