import HTTP
import Primitives

/// What stands in an `Authorization` header.
enum Credentials {
  /// The token of `Bearer TOKEN` (RFC 6750 section 2.1), the scheme in any case.
  static func bearer(_ request: HTTPRequest) -> Secret? {
    value(request, scheme: "bearer").map { Secret($0) }
  }

  /// Name and password of `Basic ...` (RFC 7617; both are form-encoded by RFC 6749 section 2.3.1).
  static func basic(_ request: HTTPRequest) -> (name: String, password: Secret)? {
    guard let encoded = value(request, scheme: "basic"),
      let bytes = LenientBase64.decode(Array(encoded.utf8)),
      let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
    else { return nil }
    let name = String(text[..<colon])
    let password = String(text[text.index(after: colon)...])
    return (PercentCoding.decode(name) ?? name, Secret(PercentCoding.decode(password) ?? password))
  }

  private static func value(_ request: HTTPRequest, scheme: String) -> String? {
    guard let field = request.fields["Authorization"], let blank = field.firstIndex(of: " "),
      field[..<blank].lowercased() == scheme
    else { return nil }
    let value = field[blank...].drop { $0 == " " }
    return value.isEmpty ? nil : String(value)
  }
}
