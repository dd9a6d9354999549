import Domain

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
  /// Copies every account between the data directory and AWS.
  case move(MoveDirection, MoveMode)
  /// Prints how to use the program.
  case help

  /// The command that `arguments`, without the server's flags, name.
  package init(_ arguments: [String]) throws(UsageError) {
    var words: [String] = []
    var concurrent: Int?
    var switches: Set<String> = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h":
        self = .help
        return
      case "--show-latest", "--dry-run", "--overwrite": switches.insert(argument)
      case "--concurrent": concurrent = try Self.number(rest.popFirst())
      case _ where argument.hasPrefix("--concurrent="):
        concurrent = try Self.number(String(argument.dropFirst(13)))
      case _ where argument.hasPrefix("-"): throw UsageError("There is no flag \(argument).")
      default: words.append(argument)
      }
    }
    self = try Self.named(words, switches, concurrent: concurrent)
  }

  private static func named(_ words: [String], _ switches: Set<String>, concurrent: Int?) throws(UsageError)
    -> Command
  {
    if words.count == 1, let direction = MoveDirection(rawValue: words[0]) {
      guard switches.isSubset(of: ["--dry-run", "--overwrite"]), concurrent == nil else {
        throw UsageError("\(words[0]) takes [--dry-run] [--overwrite].")
      }
      let mode = MoveMode(
        isDryRun: switches.contains("--dry-run"), overwrites: switches.contains("--overwrite"))
      return .move(direction, mode)
    }
    guard switches.isDisjoint(with: ["--dry-run", "--overwrite"]) else {
      throw UsageError("--dry-run and --overwrite belong to export and import.")
    }
    if words.count == 2, words[0] == "check-connection" {
      return .checkConnection(
        email: words[1], concurrent: concurrent ?? 1, showsLatest: switches.contains("--show-latest"))
    }
    guard concurrent == nil, switches.isEmpty else {
      throw UsageError("check-connection takes EMAIL [--concurrent N] [--show-latest].")
    }
    return try plain(words)
  }

  private static func number(_ text: String?) throws(UsageError) -> Int {
    guard let number = text.flatMap(Int.init), (1...100_000).contains(number) else {
      throw UsageError("--concurrent needs a number from 1 to 100000.")
    }
    return number
  }

  private static func plain(_ words: [String]) throws(UsageError) -> Command {
    switch (words.first, words.count) {
    case ("serve", 1): return .serve
    case ("check-config", 1): return .checkConfig
    case ("connections", 1): return .connections
    case ("connections", 3) where words[1] == "restore": return .restore(email: words[2])
    case ("set-password", 2): return .setPassword(email: words[1])
    case ("help", 1): return .help
    case (nil, _): throw UsageError("Name a command.")
    default: throw UsageError("There is no command '\(words.joined(separator: " "))'.")
    }
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
      export | import [--dry-run] [--overwrite]
                                  copy every account from the data directory to AWS, or from AWS into it

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

    export and import find AWS by the environment, as paypulse-lambda does: AWS_REGION, AWS_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN; USERS_TABLE (Users), PAYPULSE_TABLE (PayPulse), PAYPULSE_VAULT
    (secrets-manager or dynamodb), PAYPULSE_KMS_KEY (alias/paypulse-tokens). They never overwrite what differs unless
    told to, and may be repeated: what is there already is left alone. --dry-run changes nothing.
    """
}
