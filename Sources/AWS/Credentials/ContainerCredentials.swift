import HTTP
import Primitives

/// Asks the endpoint that a container's host offers: Amazon ECS, EKS pod identities, Lambda with SnapStart.
///
/// Source: AWS SDKs and Tools Reference Guide, "Container credential provider". The authorization goes only where
/// that page lets it go: over TLS, or to this machine and the hosts' own addresses.
package struct ContainerCredentials: CredentialSource {
  private enum Authorization {
    case none
    case token(Secret)
    /// Read before each request, since the host replaces it.
    case file(path: String)
  }

  private static let hostAddress = "169.254.170.2"
  private static let plainHosts: Set<String> = [
    hostAddress, "169.254.170.23", "[fd00:ec2::23]", "localhost", "127.0.0.1", "[::1]",
  ]
  private static let timeout: Duration = .seconds(2)

  private let url: String
  private let authorization: Authorization
  private let http: any HTTPClient

  /// The endpoint that `AWS_CONTAINER_CREDENTIALS_RELATIVE_URI` or `…_FULL_URI` names; nil when neither is set.
  package init?(environment: [String: String], http: any HTTPClient) throws(CredentialError) {
    if let path = environment.filled("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") {
      guard path.hasPrefix("/") else {
        throw .invalidSetting(name: "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI")
      }
      url = "http://" + Self.hostAddress + path
    } else if let full = environment.filled("AWS_CONTAINER_CREDENTIALS_FULL_URI") {
      guard Self.isAllowed(full) else { throw .invalidSetting(name: "AWS_CONTAINER_CREDENTIALS_FULL_URI") }
      url = full
    } else {
      return nil
    }
    if let path = environment.filled("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE") {
      authorization = .file(path: path)
    } else {
      authorization =
        environment.filled("AWS_CONTAINER_AUTHORIZATION_TOKEN").map { .token(Secret($0)) } ?? .none
    }
    self.http = http
  }

  private static func isAllowed(_ url: String) -> Bool {
    if url.hasPrefix("https://") { return true }
    guard url.hasPrefix("http://") else { return false }
    let authority = url.dropFirst(7).prefix { !"/?#".contains($0) }
    let host =
      authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
    return plainHosts.contains(String(host))
  }

  /// What the endpoint says now.
  package func credentials(rejecting rejected: AWSCredentials?) async throws(CredentialError)
    -> AWSCredentials
  {
    var fields: HTTPFields = ["Accept": "application/json"]
    if let token = try token() { fields["Authorization"] = token.expose() }
    let request = HTTPClientRequest(method: .get, url: url, fields: fields, timeout: Self.timeout)
    let response: HTTPResponse
    do throws(HTTPClientError) { response = try await http.send(request) } catch { throw .unavailable }
    guard response.status == 200,
      let credentials = JSONValue(json: response.body).flatMap(AWSCredentials.init)
    else { throw .unavailable }
    return credentials
  }

  private func token() throws(CredentialError) -> Secret? {
    switch authorization {
    case .none: return nil
    case .token(let token): return token
    case .file(let path):
      guard let bytes = TextFile.read(path) else { throw .unavailable }
      return Secret(String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline })
    }
  }
}

extension AWSCredentials {
  /// The endpoint's reply; nil when it names no key.
  fileprivate init?(_ json: JSONValue) {
    guard let id = json["AccessKeyId"]?.string, let secret = json["SecretAccessKey"]?.string, !id.isEmpty,
      !secret.isEmpty
    else { return nil }
    self.init(
      accessKeyID: id, secretAccessKey: Secret(secret),
      sessionToken: json["Token"]?.string.map { Secret($0) },
      expiration: json["Expiration"]?.string.flatMap { Timestamp(iso8601: $0) })
  }
}
