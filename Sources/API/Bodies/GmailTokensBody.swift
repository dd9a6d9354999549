import Domain
import HTTP
import Primitives

/// Reads the body of a token upload, JSON or form, as every client that was ever shipped writes it
/// (DESIGN 3.1, rule 1). Unknown members are ignored.
enum GmailTokensBody {
  static func read(_ request: HTTPRequest) throws(ErrorResponse) -> UploadedTokens {
    let isForm = request.fields.mediaType == "application/x-www-form-urlencoded"
    let fields = try isForm ? form(request) : json(request)
    guard let access = fields.accessToken else { throw .missingUploadField("access_token") }
    // A token outside RFC 6749 appendix A.12's VSCHAR is nobody's; it must not reach a header either.
    guard access.isVisibleASCII, !access.isEmpty else { throw ErrorResponse(.accessTokenInvalid) }
    guard fields.refreshToken.isVisibleASCII else { throw ErrorResponse(.refreshTokenInvalid) }
    return UploadedTokens(
      accessToken: GoogleAccessToken(Secret(access)),
      refreshToken: fields.refreshToken.isEmpty ? nil : GoogleRefreshToken(Secret(fields.refreshToken)),
      scopes: GrantedScopes(fields.scopes))
  }

  private struct Fields {
    var accessToken: String?
    var refreshToken = ""
    var scopes: [String] = []
  }

  // MARK: JSON

  private static func json(_ request: HTTPRequest) throws(ErrorResponse) -> Fields {
    let body = try JSONBody(request, whenEmpty: "access_token") { .missingUploadField($0) }
    var fields = Fields()
    if body.value("access_token") != nil { fields.accessToken = try body.text("access_token") }
    if body.value("refresh_token") != nil { fields.refreshToken = try body.text("refresh_token") }
    try checkLifetime(body.value("expires_in"))
    fields.scopes = try scopes(body.value("scope"))
    return fields
  }

  private static func scopes(_ value: JSONValue?) throws(ErrorResponse) -> [String] {
    switch value {
    case nil: return []
    case .string(let text): return [text]
    case .array(let elements):
      let texts = elements.compactMap(\.string)
      guard texts.count == elements.count else { throw .invalidScope }
      return texts
    default: throw .invalidScope
    }
  }

  /// Absent or null means 3600. A number or a numeric text is floored and must be 1...86400. It is checked and
  /// then dropped: Google's word on the lifetime wins.
  private static func checkLifetime(_ value: JSONValue?) throws(ErrorResponse) {
    let seconds: Double?
    switch value {
    case nil: return
    case .integer(let number): seconds = Double(number)
    case .number(let number): seconds = number
    case .string(let text): seconds = number(text)
    default: seconds = nil
    }
    guard let seconds, seconds.isFinite, let whole = Int64(exactly: seconds.rounded(.down)),
      UploadedTokens.lifetimes.contains(whole)
    else {
      let range = UploadedTokens.lifetimes
      throw .invalidRequest(
        "'expires_in' must be a number of seconds from \(range.lowerBound) to \(range.upperBound).")
    }
  }

  /// A decimal number in the form JSON has, spaces around it allowed; `Double` alone would read `0x10` and
  /// `inf` too.
  private static func number(_ text: String) -> Double? {
    let trimmed = text.drop { $0 == " " }
    let digits = trimmed[
      ..<(trimmed.lastIndex { $0 != " " }.map(trimmed.index(after:)) ?? trimmed.startIndex)]
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else {
      return nil
    }
    return Double(String(digits))
  }

  // MARK: Form

  private static func form(_ request: HTTPRequest) throws(ErrorResponse) -> Fields {
    guard let pairs = FormCoding.decode(String(decoding: request.body, as: UTF8.self)) else {
      throw .invalidRequest("The form body is not properly percent-encoded.")
    }
    func first(_ name: String) -> String? { pairs.first { $0.name == name }?.value }
    var fields = Fields(accessToken: first("access_token"), refreshToken: first("refresh_token") ?? "")
    try checkLifetime(first("expires_in").flatMap { $0.isEmpty ? nil : .string($0) })
    fields.scopes = pairs.filter { $0.name == "scope" || $0.name == "scope[]" }.map(\.value)
    return fields
  }
}
