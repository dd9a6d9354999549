import API
import AWS
import Primitives

/// How the function is set up, by its environment. What the server has too goes by the same name.
///
/// | Variable | Meaning | Default |
/// |---|---|---|
/// | `USERS_TABLE`, `PAYPULSE_TABLE`, `PAYPULSE_VAULT`, `PAYPULSE_KMS_KEY` | where everything is kept: `StoreSettings` | |
/// | `PAYPULSE_GRANTS_QUEUE_URL` | where the schedule puts grants to use | – |
/// | `PAYPULSE_BASE_PATH` | what the paths of a custom domain begin with | – |
/// | `PAYPULSE_JWT_SECRET` | instead of the secret `PayPulseAppJWTSecret` | – |
/// | `PAYPULSE_GOOGLE_CLIENT_IDS` | instead of the secret `Google-OAuth-Client-ID` | – |
/// | `PAYPULSE_GOOGLE_BASE_URL` | another Google than the real one | – |
/// | `PAYPULSE_TRUSTED_PROXIES` | whose `X-Forwarded-For` is believed | – |
/// | `PAYPULSE_HIDE_UNKNOWN_USERS`, `PAYPULSE_NO_RATE_LIMITS` | as for the server | `false` |
package struct FunctionOptions: Sendable {
  /// Where everything is kept.
  package let stores: StoreSettings
  /// Where the schedule puts grants to use; nil for a function that no schedule invokes.
  package var grantsQueueURL: String?
  /// What the paths of a custom domain begin with, without a `/` at its end.
  package var basePath = ""
  /// Signs sessions, instead of the secret.
  package var jwtSecret: Secret?
  /// Our client IDs at Google, instead of the secret's.
  package var googleClientIDs: [String]?
  /// Under which every Google path is taken; nil for the real Google.
  package var googleBaseURL: String?
  /// Proxies whose `X-Forwarded-For` is believed.
  package var trustedProxies: [AddressRange] = []
  /// Whether sign-in hides that nobody has an address.
  package var hidesUnknownUsers = false
  /// Whether wrong passwords and uploads are limited.
  package var limitsRates = true
}

extension FunctionOptions {
  /// What `environment` says.
  package init(environment: [String: String]) throws(LambdaFailure) {
    let variables = Variables(environment)
    do throws(AWSConfigurationError) { stores = try StoreSettings(environment: environment) } catch {
      throw .invalidSetting("PAYPULSE_VAULT")
    }
    grantsQueueURL = variables["PAYPULSE_GRANTS_QUEUE_URL"]
    basePath = try Self.basePath(variables)
    jwtSecret = variables["PAYPULSE_JWT_SECRET"].map { Secret($0) }
    googleClientIDs = variables.list("PAYPULSE_GOOGLE_CLIENT_IDS")
    googleBaseURL = try Self.baseURL(variables)
    trustedProxies = try (variables.list("PAYPULSE_TRUSTED_PROXIES") ?? []).map {
      text throws(LambdaFailure) in
      guard let range = AddressRange(text) else { throw .invalidSetting("PAYPULSE_TRUSTED_PROXIES") }
      return range
    }
    hidesUnknownUsers = try variables.flag("PAYPULSE_HIDE_UNKNOWN_USERS")
    limitsRates = try !variables.flag("PAYPULSE_NO_RATE_LIMITS")
  }

  private static func basePath(_ variables: Variables) throws(LambdaFailure) -> String {
    guard let text = variables["PAYPULSE_BASE_PATH"], text != "/" else { return "" }
    guard text.hasPrefix("/") else { throw .invalidSetting("PAYPULSE_BASE_PATH") }
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  private static func baseURL(_ variables: Variables) throws(LambdaFailure) -> String? {
    guard let url = variables["PAYPULSE_GOOGLE_BASE_URL"] else { return nil }
    guard url.hasPrefix("http://") || url.hasPrefix("https://"), !url.contains("?"), !url.contains("#"),
      url.isVisibleASCII
    else { throw .invalidSetting("PAYPULSE_GOOGLE_BASE_URL") }
    return url
  }
}

/// The environment, where an empty variable is one that is not set.
private struct Variables {
  private let values: [String: String]

  init(_ values: [String: String]) { self.values = values }

  subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

  func list(_ name: String) -> [String]? {
    self[name].map { $0.split(separator: ",").map { String($0.filter { $0 != " " }) } }
  }

  func flag(_ name: String) throws(LambdaFailure) -> Bool {
    switch self[name]?.lowercased() {
    case nil, "0", "false", "no", "off": return false
    case "1", "true", "yes", "on": return true
    default: throw .invalidSetting(name)
    }
  }
}

extension LambdaFailure {
  /// An environment variable that cannot be used as it is.
  static func invalidSetting(_ name: String) -> LambdaFailure {
    LambdaFailure(
      type: "Runtime.InvalidSetting", message: "The environment variable \(name) is missing or wrong.")
  }
}
