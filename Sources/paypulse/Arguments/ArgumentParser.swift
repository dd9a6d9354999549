/// Reads the command line: one command, and options before or after it.
struct ArgumentParser {
  private var rest: ArraySlice<String>
  private var values: [String: String] = [:]
  private var flags: Set<String> = []
  private var words: [String] = []

  /// Options with a value, and the commands that know them (empty: all).
  private static let valued: [String: Set<String>] = [
    "--server": [], "--email": ["signup", "login"], "--name": ["signup"],
    "--google-client-id": ["connect-gmail"],
    "--google-base-url": ["connect-gmail"], "--redirect": ["connect-gmail"],
  ]
  /// Options without one.
  private static let bare: [String: Set<String>] = [
    "--json": [], "--allow-plain-http": [], "--help": [], "-h": [], "--forget": ["logout"],
    "--auto": ["connect-gmail"], "--no-browser": ["connect-gmail"],
  ]

  /// What `arguments`, without the program's name, ask for.
  static func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
    var parser = ArgumentParser(rest: arguments[...])
    try parser.sort()
    return try parser.invocation()
  }

  private init(rest: ArraySlice<String>) { self.rest = rest }

  private mutating func sort() throws(UsageError) {
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-"), words.first != "_deliver-redirect" else {
        words.append(argument)
        continue
      }
      let halves = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      if Self.valued[halves[0]] != nil {
        guard values[halves[0]] == nil else { throw UsageError("\(halves[0]) is given twice") }
        guard let value = halves.count > 1 ? halves[1] : rest.popFirst(), !value.isEmpty else {
          throw UsageError("\(halves[0]) needs a value")
        }
        values[halves[0]] = value
      } else if Self.bare[argument] != nil {
        flags.insert(argument)
      } else if halves[0] == "--password" {
        throw UsageError("a password is never taken from an argument: type it at the prompt, or pipe it in")
      } else {
        throw UsageError("unknown option \(halves[0])")
      }
    }
  }

  private func invocation() throws(UsageError) -> Invocation {
    let command = try self.command()
    return Invocation(
      server: values["--server"], isJSON: flags.contains("--json"),
      allowsPlainHTTP: flags.contains("--allow-plain-http"), command: command)
  }

  private func command() throws(UsageError) -> Invocation.Command {
    if flags.contains("--help") || flags.contains("-h") { return .help }
    guard let name = words.first else { throw UsageError("no command is given") }
    if name == "_deliver-redirect" {
      guard words.count == 2 else { throw UsageError("_deliver-redirect takes one address") }
      return .deliverRedirect(words[1])
    }
    guard words.count == 1 else { throw UsageError("\(name) takes no \"\(words[1])\"") }
    for (option, commands) in Self.valued.merging(Self.bare, uniquingKeysWith: { first, _ in first })
    where values[option] != nil || flags.contains(option) {
      guard commands.isEmpty || commands.contains(name) else {
        throw UsageError("\(name) takes no \(option)")
      }
    }
    switch name {
    case "help": return .help
    case "signup": return .signUp(email: values["--email"], name: values["--name"])
    case "login": return .signIn(email: values["--email"])
    case "logout": return .signOut(forgetting: flags.contains("--forget"))
    case "connect-gmail": return .connectGmail(try connectOptions())
    case "disconnect-gmail": return .disconnectGmail
    case "me": return .profile
    default: throw UsageError("unknown command \"\(name)\"")
    }
  }

  private func connectOptions() throws(UsageError) -> ConnectOptions {
    guard let clientID = values["--google-client-id"] else {
      throw UsageError("connect-gmail needs --google-client-id, the id of your iOS client at Google")
    }
    var options = ConnectOptions(clientID: clientID, googleBaseURL: values["--google-base-url"])
    if let redirect = values["--redirect"] {
      guard let known = ConnectOptions.Redirect(rawValue: redirect) else {
        throw UsageError("--redirect is \"loopback\" or \"scheme\"")
      }
      options.redirect = known
    }
    options.isAutomatic = flags.contains("--auto")
    options.opensBrowser = !flags.contains("--no-browser")
    guard !options.isAutomatic || options.googleBaseURL != nil else {
      throw UsageError(
        "--auto follows an emulator's consent and needs --google-base-url; Google itself asks a person")
    }
    return options
  }
}
