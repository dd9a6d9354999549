import HTTP
import Primitives

/// `/.well-known/openid-configuration` (OpenID Connect Discovery section 3). The issuer is Google's; every
/// endpoint lies under the emulator's own address.
enum OpenIDConfiguration {
  static func document(for request: HTTPRequest) -> HTTPResponse {
    let base = BaseURL.of(request)
    let endpoints: [String: JSONValue] = [
      "issuer": .string(IDTokenFactory.issuer),
      "authorization_endpoint": .string(base + "/o/oauth2/v2/auth"),
      "token_endpoint": .string(base + "/token"),
      "userinfo_endpoint": .string(base + "/v1/userinfo"),
      "revocation_endpoint": .string(base + "/revoke"),
      "jwks_uri": .string(base + "/oauth2/v3/certs"),
    ]
    return .document(.object(endpoints.merging(capabilities) { own, _ in own }))
  }

  private static let capabilities: [String: JSONValue] = [
    "response_types_supported": ["code"],
    "response_modes_supported": ["query"],
    "authorization_response_iss_parameter_supported": true,
    "subject_types_supported": ["public"],
    "id_token_signing_alg_values_supported": ["RS256"],
    "scopes_supported": ["openid", "email", "profile"],
    "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
    "claims_supported": [
      "aud", "email", "email_verified", "exp", "family_name", "given_name", "iat", "iss", "name", "picture",
      "sub",
    ],
    "code_challenge_methods_supported": ["plain", "S256"],
    "grant_types_supported": ["authorization_code", "refresh_token"],
  ]
}
