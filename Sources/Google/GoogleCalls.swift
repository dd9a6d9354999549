import Domain
import HTTP
import Primitives

/// One call to Google: sends it, and tells an answer that can be built on from one that cannot.
struct GoogleCalls: Sendable {
  let client: any HTTPClient
  /// How long tokeninfo, userinfo, revoke and Gmail calls may take.
  static let timeout: Duration = .seconds(10)

  /// A form POST. Tokens go into the body, never into an address, since addresses are logged along the way.
  /// `mayBeEmpty` says that a success without a body is one, as revoking answers at times.
  func post(
    _ url: String, _ form: [(String, String)], timeout: Duration = timeout, mayBeEmpty: Bool = false
  ) async throws(GoogleError) -> GoogleAnswer {
    try await send(
      HTTPClientRequest(
        method: .post, url: url, fields: ["Content-Type": "application/x-www-form-urlencoded"],
        body: FormCoding.encoded(form), timeout: timeout), mayBeEmpty: mayBeEmpty)
  }

  /// A GET with the access token as Bearer (RFC 6750 section 2.1).
  func get(_ url: String, _ token: GoogleAccessToken) async throws(GoogleError) -> GoogleAnswer {
    try await send(
      HTTPClientRequest(
        method: .get, url: url, fields: ["Authorization": "Bearer " + token.secret.expose()],
        timeout: Self.timeout))
  }

  private func send(_ request: HTTPClientRequest, mayBeEmpty: Bool = false) async throws(GoogleError)
    -> GoogleAnswer
  {
    let response: HTTPResponse
    do throws(HTTPClientError) { response = try await client.send(request) } catch {
      throw .unavailable(retryAfter: nil)
    }
    let answer = GoogleAnswer(response)
    if mayBeEmpty, answer.isSuccess, response.body.isEmpty { return answer }
    // Overload and outages, whatever the body says; also a refusal in HTML, which is Google's brake on a
    // machine that asks too often, and never about the user.
    guard response.status < 500, response.status != 429, response.status != 408, answer.json.object != nil
    else {
      throw .unavailable(retryAfter: answer.retryAfter)
    }
    return answer
  }
}

/// A reply of Google; its body is a JSON object unless an empty one will do.
struct GoogleAnswer: Sendable {
  let status: Int
  let json: JSONValue
  let retryAfter: Duration?

  init(_ response: HTTPResponse) {
    status = response.status
    json = JSONValue(json: response.body) ?? .null
    retryAfter = response.fields["Retry-After"].flatMap(Int64.init).map { .seconds(min(max($0, 0), 3600)) }
  }

  var isSuccess: Bool { (200..<300).contains(status) }

  /// The `error` field of an OAuth error.
  var oauthError: String? { json["error"]?.string }

  /// The first reason of an API error (`error.errors[].reason`).
  var apiReason: String? { json["error"]?["errors"]?.array?.first?["reason"]?.string }

  /// What is left when nothing more is known: try later.
  var unexpected: GoogleError { .unavailable(retryAfter: retryAfter) }
}

extension JSONValue {
  /// A whole number that came as a number or as a text, as Google's do; nil for anything else.
  var lenientInteger: Int64? {
    switch self {
    case .integer(let number): number
    case .number(let number): Int64(exactly: number.rounded(.down))
    case .string(let text): Double(text).flatMap { Int64(exactly: $0.rounded(.down)) }
    case .null, .bool, .array, .object: nil
    }
  }

  /// A flag that came as a flag or as the text `true`.
  var lenientFlag: Bool { bool ?? (string == "true") }

  /// A text that can be a token (RFC 6749 appendix A.12): one that cannot must not take a good one's place.
  var tokenText: String? {
    filledString.flatMap { $0.isVisibleASCII ? $0 : nil }
  }

  /// A text that is not empty.
  var filledString: String? { string.flatMap { $0.isEmpty ? nil : $0 } }
}
