import AWS
import Glibc
import HTTP
import Primitives
import TestSupport
import Testing

@Suite("Credentials of the environment and the container")
struct ContainerCredentialsTests {
  private let relative = ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/credentials/1"]
  private let reply = #"""
    {"RoleArn":"arn:aws:iam::1:role/r","AccessKeyId":"ASIA1","SecretAccessKey":"s3cret","Token":"t/+=",
    "Expiration":"2025-01-01T06:00:00Z"}
    """#

  @Test("the environment's, with the session token of a Lambda function's role")
  func environment() async throws {
    let http = ScriptedHTTPClient(500, "")
    let full = [
      "AWS_ACCESS_KEY_ID": "ASIA1", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "t",
    ].merging(relative) { $1 }
    let source = try ProcessCredentials.process(environment: full, http: http, time: .system)
    let credentials = try await source.credentials(rejecting: nil)
    #expect(
      credentials
        == AWSCredentials(accessKeyID: "ASIA1", secretAccessKey: Secret("s"), sessionToken: Secret("t")))
    #expect(http.requests.isEmpty)
    let half = EnvironmentCredentials(environment: ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": ""])
    #expect(half == nil)
    #expect(throws: CredentialError.missing) {
      try ProcessCredentials.process(environment: [:], http: http, time: .system)
    }
  }

  @Test("the container's, by its host's own address")
  func relativeAddress() async throws {
    let http = ScriptedHTTPClient(200, reply)
    let source = try #require(try ContainerCredentials(environment: relative, http: http))
    let credentials = try await source.credentials(rejecting: nil)
    #expect(credentials.accessKeyID == "ASIA1")
    #expect(credentials.secretAccessKey == Secret("s3cret"))
    #expect(credentials.sessionToken == Secret("t/+="))
    #expect(credentials.expiration == Timestamp(seconds: 1_735_711_200))
    #expect(http.requests.map(\.url) == ["http://169.254.170.2/v2/credentials/1"])
    #expect(http.requests[0].fields["Authorization"] == nil)
  }

  @Test("the authorization token comes from its file each time, else from the environment")
  func authorization() async throws {
    let path = "/tmp/paypulse-token-\(RandomSource.system.token128())"
    defer { unlink(path) }
    let http = ScriptedHTTPClient(200, reply)
    var environment = relative
    environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "from the environment"
    _ = try await ContainerCredentials(environment: environment, http: http)?.credentials(rejecting: nil)
    environment["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = path
    let source = try #require(try ContainerCredentials(environment: environment, http: http))
    await #expect(throws: CredentialError.unavailable) { try await source.credentials(rejecting: nil) }
    for token in ["first", "second"] {
      let file = try #require(fopen(path, "w"))
      fputs(token + "\n", file)
      fclose(file)
      _ = try await source.credentials(rejecting: nil)
    }
    #expect(
      http.requests.map { $0.fields["Authorization"] } == ["from the environment", "first", "second"])
  }

  @Test(
    "a full address is used where it may be",
    arguments: [
      ("https://credentials.example/x", true), ("http://127.0.0.1:9/x", true), ("http://localhost/x", true),
      ("http://[::1]:9/x", true), ("http://169.254.170.23/v1/credentials", true),
      ("http://[fd00:ec2::23]/v1", true), ("http://credentials.example/x", false),
      ("http://127.0.0.1.example/", false), ("http://127.0.0.1@evil.example/", false), ("file:///x", false),
    ])
  func fullAddress(url: String, isAllowed: Bool) async throws {
    let http = ScriptedHTTPClient(200, reply)
    let environment = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": url]
    if isAllowed {
      _ = try await ContainerCredentials(environment: environment, http: http)?.credentials(rejecting: nil)
      #expect(http.requests.map(\.url) == [url])
    } else {
      #expect(throws: CredentialError.invalidSetting(name: "AWS_CONTAINER_CREDENTIALS_FULL_URI")) {
        try ContainerCredentials(environment: environment, http: http)
      }
    }
  }

  @Test(
    "anything but credentials is none", arguments: [(500, "{}"), (200, "{}"), (200, "<html>"), (404, "")])
  func failures(status: Int, body: String) async throws {
    let http = ScriptedHTTPClient(status, body)
    let source = try #require(try ContainerCredentials(environment: relative, http: http))
    await #expect(throws: CredentialError.unavailable) { try await source.credentials(rejecting: nil) }
  }
}
