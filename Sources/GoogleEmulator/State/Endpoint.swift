/// The groups of endpoints that faults and counts go by.
enum Endpoint: String, Sendable, CaseIterable {
  case auth
  case token
  case tokeninfo
  case userinfo
  case revoke
  case discovery
  case jwks
  case gmail
  case batch
}

extension Endpoint {
  /// The group that `path` belongs to; nil for the emulator's own pages and for what does not exist.
  init?(path: String) {
    switch path {
    case "/o/oauth2/v2/auth", "/o/oauth2/auth": self = .auth
    case "/token", "/oauth2/v4/token", "/o/oauth2/token": self = .token
    case "/tokeninfo", "/oauth2/v1/tokeninfo", "/oauth2/v2/tokeninfo", "/oauth2/v3/tokeninfo":
      self = .tokeninfo
    case "/oauth2/v1/userinfo", "/oauth2/v2/userinfo", "/oauth2/v3/userinfo", "/userinfo/v2/me",
      "/v1/userinfo":
      self = .userinfo
    case "/revoke", "/o/oauth2/revoke": self = .revoke
    case "/.well-known/openid-configuration", "/discovery/v1/apis/gmail/v1/rest", "/$discovery/rest":
      self = .discovery
    case "/oauth2/v3/certs", "/oauth2/v1/certs": self = .jwks
    case "/batch", "/batch/gmail/v1": self = .batch
    case _ where path.hasPrefix("/gmail/v1/"): self = .gmail
    default: return nil
    }
  }
}
