import API
import HTTPServer
import Primitives

/// Reads ``ServerOptions`` from arguments and environment.
package struct ReadOptions {
  private let environment: [String: String]

  /// Reads variables from `environment`.
  package init(environment: [String: String]) { self.environment = environment }

  /// The options, and the arguments that are none.
  package func callAsFunction(_ arguments: [String]) throws(UsageError) -> (ServerOptions, [String]) {
    var values: [Flag: [String]] = [:]
    var rest: [String] = []
    for flag in Flag.allCases { values[flag] = try fromEnvironment(flag) }
    var remaining = arguments[...]
    var given: Set<Flag> = []
    while let argument = remaining.popFirst() {
      guard argument.hasPrefix("--") else {
        rest.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      guard let flag = Flag(rawValue: parts[0]) else {
        rest.append(argument)
        continue
      }
      if given.insert(flag).inserted { values[flag] = nil }
      let value: String? = parts.count > 1 ? parts[1] : flag.takesValue ? remaining.popFirst() : "true"
      guard let value, flag.takesValue || parts.count == 1 else {
        throw UsageError("\(flag.rawValue) \(flag.takesValue ? "needs a value" : "takes no value").")
      }
      values[flag, default: []].append(value)
    }
    return (try options(values, given: given), rest)
  }

  private func fromEnvironment(_ flag: Flag) throws(UsageError) -> [String]? {
    guard let text = environment[flag.variable], !text.isEmpty else { return nil }
    if flag.isList { return text.split(separator: ",").map { String($0.filter { $0 != " " }) } }
    guard !flag.takesValue else { return [text] }
    switch text.lowercased() {
    case "1", "true", "yes", "on": return ["true"]
    case "0", "false", "no", "off": return nil
    default: throw UsageError("\(flag.variable) must be true or false.")
    }
  }

  private func options(_ values: [Flag: [String]], given: Set<Flag>) throws(UsageError) -> ServerOptions {
    var options = ServerOptions()
    if let listen = values[.listen]?.last { (options.host, options.port) = try Self.address(listen) }
    options.dataDirectory = values[.dataDirectory]?.last ?? options.dataDirectory
    options.googleClientIDs = values[.googleClientID] ?? []
    options.googleBaseURL = try values[.googleBaseURL]?.last.map(Self.baseURL)
    options.jwtSecret =
      given.contains(.jwtSecretFile)
      ? .file(values[.jwtSecretFile]?.last ?? "") : try jwtSecretSource(values)
    options.wrappingKey = values[.wrappingKeyFile]?.last.map { .file($0) } ?? .dataDirectory
    options.tls = try tls(values)
    options.isBehindProxy = values[.behindProxy] != nil
    options.trustedProxies = try (values[.trustedProxy] ?? []).map { text throws(UsageError) in
      guard let range = AddressRange(text) else {
        throw UsageError("--trusted-proxy \(text) is no address range such as 10.0.0.0/8.")
      }
      return range
    }
    options.hidesUnknownUsers = values[.hideUnknownUsers] != nil
    options.limitsRates = values[.noRateLimits] == nil
    return options
  }

  private func jwtSecretSource(_ values: [Flag: [String]]) throws(UsageError) -> KeySource {
    let variable = "PAYPULSE_JWT_SECRET"
    switch (environment[variable].map { !$0.isEmpty } ?? false, values[.jwtSecretFile]?.last) {
    case (true, nil): return .environment(variable)
    case (false, let file?): return .file(file)
    case (false, nil): return .dataDirectory
    case (true, _?): throw UsageError("Set PAYPULSE_JWT_SECRET or PAYPULSE_JWT_SECRET_FILE, not both.")
    }
  }

  private func tls(_ values: [Flag: [String]]) throws(UsageError) -> TLSFiles? {
    switch (values[.tlsCertificate]?.last, values[.tlsKey]?.last) {
    case (nil, nil): return nil
    case (let certificate?, let key?): return TLSFiles(certificate: certificate, key: key)
    default: throw UsageError("--tls-certificate and --tls-key are given together.")
    }
  }

  private static func address(_ text: String) throws(UsageError) -> (String, UInt16) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw UsageError("--listen \(text) is not HOST:PORT.")
    }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard !host.isEmpty else { throw UsageError("--listen \(text) is not HOST:PORT.") }
    return (host, port)
  }

  private static func baseURL(_ text: String) throws(UsageError) -> String {
    guard text.hasPrefix("http://") || text.hasPrefix("https://"), !text.contains("?"), !text.contains("#"),
      text.isVisibleASCII
    else { throw UsageError("--google-base-url \(text) is no http or https address.") }
    return text
  }
}

/// The flags, by their names.
enum Flag: String, CaseIterable {
  case listen = "--listen"
  case dataDirectory = "--data-dir"
  case googleClientID = "--google-client-id"
  case googleBaseURL = "--google-base-url"
  case jwtSecretFile = "--jwt-secret-file"
  case wrappingKeyFile = "--wrapping-key-file"
  case tlsCertificate = "--tls-certificate"
  case tlsKey = "--tls-key"
  case behindProxy = "--behind-proxy"
  case trustedProxy = "--trusted-proxy"
  case hideUnknownUsers = "--hide-unknown-users"
  case noRateLimits = "--no-rate-limits"

  /// The environment variable that says the same.
  var variable: String {
    switch self {
    case .googleClientID: "PAYPULSE_GOOGLE_CLIENT_IDS"
    case .trustedProxy: "PAYPULSE_TRUSTED_PROXIES"
    default: "PAYPULSE_" + rawValue.dropFirst(2).uppercased().replacing("-", with: "_")
    }
  }

  var isList: Bool { self == .googleClientID || self == .trustedProxy }

  var takesValue: Bool {
    switch self {
    case .behindProxy, .hideUnknownUsers, .noRateLimits: false
    default: true
    }
  }
}
