import HTTP
import PayPulseKit
import Primitives
import Testing

/// Google's token endpoint and the PayPulse server's upload, with a network between that can be cut before a
/// request arrives or before its reply does.
actor FakeWorld: HTTPClient {
  enum Place: Hashable { case token, upload }
  enum Cut { case beforeArrival, beforeReply }
  struct Upload: Hashable {
    let session: String
    let accessToken: String
    let refreshToken: String?
    let scope: [String]
    let expiresIn: Int64?
  }

  var scope = MailPermission.asked.joined(separator: " ")
  var givesRefreshToken = true
  var email = "jane@gmail.com"
  private(set) var uploads: [Upload] = []
  private(set) var stored: Set<Upload> = []
  private(set) var urls: [String] = []
  private(set) var forms: [[String: String]] = []
  private var cuts: [Place: [Cut]] = [:]
  private var answers: [Place: [(Int, String)]] = [:]
  private var codes: [String: String] = [:]
  private var liveRefreshTokens: Set<String> = []
  private var serial = 0

  func cut(_ place: Place, _ cut: Cut, times: Int = 1) {
    cuts[place, default: []] += Array(repeating: cut, count: times)
  }
  func answer(_ place: Place, _ status: Int, _ body: String = "") {
    answers[place, default: []].append((status, body))
  }
  func grant(scope: String) { self.scope = scope }
  func signIn(as email: String) { self.email = email }
  func withholdRefreshToken() { givesRefreshToken = false }
  func kill(_ refreshToken: String) { liveRefreshTokens.remove(refreshToken) }

  /// A code that the browser brings back.
  func code(nonce: String) -> String {
    serial += 1
    codes["4/\(serial)"] = nonce
    return "4/\(serial)"
  }

  func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPResponse {
    urls.append(request.url)
    let place: Place = request.url.hasSuffix("/token") ? .token : .upload
    let cut = cuts[place]?.first
    if cut != nil { cuts[place]?.removeFirst() }
    if cut == .beforeArrival { throw .unreachable }
    let response: HTTPResponse
    if let (status, body) = answers[place]?.first {
      answers[place]?.removeFirst()
      response = .json(status, Array(body.utf8))
    } else {
      response = place == .token ? token(request) : upload(request)
    }
    if cut == .beforeReply { throw .connectionLost }
    return response
  }

  private func token(_ request: HTTPClientRequest) -> HTTPResponse {
    let form = request.form
    forms.append(form)
    switch form["grant_type"] {
    case "authorization_code":
      guard let nonce = codes.removeValue(forKey: form["code"] ?? "") else { return refusal("invalid_grant") }
      return issue(nonce: nonce)
    case "refresh_token":
      guard liveRefreshTokens.contains(form["refresh_token"] ?? "") else { return refusal("invalid_grant") }
      return issue(nonce: nil)
    default: return refusal("unsupported_grant_type")
    }
  }

  private func issue(nonce: String?) -> HTTPResponse {
    serial += 1
    var reply: [String: JSONValue] = [
      "access_token": .string("ya29.\(serial)"), "expires_in": 3599, "scope": .string(scope),
      "token_type": "Bearer",
    ]
    if let nonce {
      let claims: JSONValue = [
        "aud": .string(Fixture.clientID), "sub": .string("sub-" + email), "email": .string(email),
        "nonce": .string(nonce),
      ]
      reply["id_token"] = .string(Fixture.jwt(claims))
      if givesRefreshToken {
        liveRefreshTokens.insert("1//\(serial)")
        reply["refresh_token"] = .string("1//\(serial)")
      }
    }
    return .json(200, JSONValue.object(reply).serialized)
  }

  private func refusal(_ error: String) -> HTTPResponse {
    .json(400, JSONValue.object(["error": .string(error), "error_description": "Bad Request"]).serialized)
  }

  private func upload(_ request: HTTPClientRequest) -> HTTPResponse {
    guard let body = parse(request.text) else { return HTTPResponse(status: 400) }
    let upload = Upload(
      session: request.fields["Authorization"] ?? "", accessToken: body["access_token"]?.string ?? "",
      refreshToken: body["refresh_token"]?.string, scope: body["scope"]?.array?.compactMap(\.string) ?? [],
      expiresIn: body["expires_in"]?.integer)
    uploads.append(upload)
    stored.insert(upload)
    let data: JSONValue = [
      "google_email": .string(email), "scope": .string(scope), "account_switch": false,
      "message": "First Gmail connection",
    ]
    let reply: JSONValue = ["message": "Gmail OAuth tokens stored successfully!", "code": 201, "data": data]
    return .json(201, reply.serialized)
  }
}
