/// What the program is asked to do.
package enum Command: Sendable {
  /// Answers requests until it is told to stop.
  case serve
  /// Says whether the configuration can work.
  case checkConfig
  /// Lists every connection, without secrets.
  case connections
  /// Puts a secret that was set aside back.
  case restore(email: String)
  /// Gives an account a new password.
  case setPassword(email: String)
  /// Asks for a valid access token, and reads the mailbox with it.
  case checkConnection(email: String, concurrent: Int, showsLatest: Bool)
  /// Prints how to use the program.
  case help

  /// The command that `arguments`, without the server's flags, name.
  package init(_ arguments: [String]) throws(UsageError) {
    var words = arguments.filter { !$0.hasPrefix("-") }[...]
    var flags = arguments.filter { $0.hasPrefix("-") }
    func email(_ words: ArraySlice<String>) throws(UsageError) -> String {
      guard let email = words.first, words.count == 1 else {
        throw UsageError("Name one account by its e-mail address.")
      }
      return email
    }
    let name = words.popFirst() ?? "help"
    switch name {
    case "check-connection":
      self = try Self.checkConnection(arguments)
      flags = []
      words = []
    case "serve": self = .serve
    case "check-config": self = .checkConfig
    case "connections" where words.first == "restore":
      self = .restore(email: try email(words.dropFirst()))
      words = []
    case "connections": self = .connections
    case "set-password":
      self = .setPassword(email: try email(words))
      words = []
    case "help": self = .help
    default: throw UsageError("There is no command '\(name)'.")
    }
    if flags.contains("--help") || flags.contains("-h") {
      self = .help
    } else if let flag = flags.first {
      throw UsageError("There is no flag \(flag) for '\(name)'.")
    }
    if let word = words.first { throw UsageError("'\(name)' takes no '\(word)'.") }
  }

  private static func checkConnection(_ arguments: [String]) throws(UsageError) -> Command {
    var rest = arguments.filter { $0 != "--show-latest" }
    var concurrent = 1
    if let flag = rest.firstIndex(where: { $0 == "--concurrent" || $0.hasPrefix("--concurrent=") }) {
      let value: String? =
        rest[flag] == "--concurrent"
        ? (flag + 1 < rest.count ? rest.remove(at: flag + 1) : nil) : String(rest[flag].dropFirst(13))
      rest.remove(at: flag)
      guard let value, let number = Int(value), (1...100_000).contains(number) else {
        throw UsageError("--concurrent needs a number from 1 to 100000.")
      }
      concurrent = number
    }
    guard rest.count == 2, !rest[1].hasPrefix("-") else {
      throw UsageError("check-connection takes EMAIL [--concurrent N] [--show-latest].")
    }
    return .checkConnection(
      email: rest[1], concurrent: concurrent, showsLatest: arguments.contains("--show-latest"))
  }
}

extension Command {
  /// How to use the program.
  package static let usage = """
    paypulse-server COMMAND [FLAGS]

    Commands
      serve                       answer requests until SIGTERM
      check-config                say whether the configuration can work
      connections                 list every connection, without secrets
      connections restore EMAIL   put a secret that was set aside back
      check-connection EMAIL [--concurrent N] [--show-latest]
                                  get a valid access token, N times at once, and read the mailbox with it
      set-password EMAIL          read a new password from standard input; ends the account's sessions

    Flags, each also by its environment variable
      --listen HOST:PORT          PAYPULSE_LISTEN               127.0.0.1:8080; port 0 picks one
      --data-dir DIR              PAYPULSE_DATA_DIR             ./paypulse-data
      --google-client-id ID       PAYPULSE_GOOGLE_CLIENT_IDS    repeatable; none: Gmail cannot be connected
      --google-base-url URL       PAYPULSE_GOOGLE_BASE_URL      the real Google
      --jwt-secret-file FILE      PAYPULSE_JWT_SECRET[_FILE]    made in the data directory
      --wrapping-key-file FILE    PAYPULSE_WRAPPING_KEY_FILE    made in the data directory
      --tls-certificate FILE      PAYPULSE_TLS_CERTIFICATE      plain HTTP
      --tls-key FILE              PAYPULSE_TLS_KEY
      --behind-proxy              PAYPULSE_BEHIND_PROXY         a proxy in front speaks TLS
      --trusted-proxy CIDR        PAYPULSE_TRUSTED_PROXIES      whose X-Forwarded-For is believed; repeatable
      --hide-unknown-users        PAYPULSE_HIDE_UNKNOWN_USERS   sign-in answers 401 to unknown addresses
      --no-rate-limits            PAYPULSE_NO_RATE_LIMITS       for load tests
    """
}
