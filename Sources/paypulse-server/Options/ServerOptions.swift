import API
import HTTPServer

/// How the server is set up: by flags, or the same by environment; a flag wins.
package struct ServerOptions: Sendable {
  /// Where to listen.
  package var host = "127.0.0.1"
  /// The port to listen on; 0 picks one.
  package var port: UInt16 = 8080
  /// Where the database and its keys are.
  package var dataDirectory = "./paypulse-data"
  /// Our client IDs at Google.
  package var googleClientIDs: [String] = []
  /// Under which every Google path is taken; nil for the real Google.
  package var googleBaseURL: String?
  /// Where the session key comes from.
  package var jwtSecret = KeySource.dataDirectory
  /// Where the wrapping key comes from.
  package var wrappingKey = KeySource.dataDirectory
  /// Certificate and key; nil for plain HTTP.
  package var tls: TLSFiles?
  /// Whether a proxy in front speaks TLS.
  package var isBehindProxy = false
  /// Proxies whose `X-Forwarded-For` is believed.
  package var trustedProxies: [AddressRange] = []
  /// Whether sign-in hides that nobody has an address.
  package var hidesUnknownUsers = false
  /// Whether wrong passwords and uploads are limited.
  package var limitsRates = true

  /// The defaults.
  package init() {}

  /// What keeps the server from being started so: passwords and tokens must not cross a network in the clear.
  var exposure: String? {
    let isLoopback = host == "localhost" || host == "::1" || host.hasPrefix("127.")
    guard !isLoopback, tls == nil, !isBehindProxy else { return nil }
    return
      "\(host) can be reached from other machines: give --tls-certificate and --tls-key, or --behind-proxy "
      + "when a proxy in front speaks TLS."
  }
}

/// Where a key comes from.
package enum KeySource: Sendable, Hashable {
  /// Its default file in the data directory, made together with a new database.
  case dataDirectory
  /// A file that the operator keeps.
  case file(String)
  /// The environment variable of that name.
  case environment(String)
}

/// Flags or variables that make no sense; says what to do.
package struct UsageError: Error, Sendable {
  /// What is wrong, as a sentence.
  package let message: String
  /// An error.
  package init(_ message: String) { self.message = message }
}
