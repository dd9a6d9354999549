import Primitives

/// The flags of the `google-emulator` command.
package struct CommandLineOptions: Sendable {
  /// What is wrong with the arguments, for the person who typed them.
  package struct UsageError: Error, CustomStringConvertible {
    /// One sentence.
    package let description: String
  }

  /// The host to listen on.
  package private(set) var host = "127.0.0.1"
  /// The port to listen on; 0 picks one.
  package private(set) var port: UInt16 = 8085
  /// The clients, in order.
  package private(set) var clients: [OAuthClient] = []
  /// The accounts, in order.
  package private(set) var accounts: [Account] = []
  /// Folders of `.eml` files by address, in order.
  package private(set) var mailboxes: [(email: String, directory: String)] = []
  /// Who consents by itself.
  package private(set) var autoConsent: String?
  /// Whether only the flags are to be explained.
  package private(set) var wantsHelp = false

  /// Reads the arguments that follow the command's name.
  package init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if ["--help", "-h"].contains(argument) {
        wantsHelp = true
        return
      }
      let halves = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves[0].hasPrefix("--") else {
        throw UsageError(description: "unexpected argument: \(argument)")
      }
      let flag = String(halves[0])
      guard Self.flags.contains(flag) else { throw UsageError(description: "unknown flag: \(flag)") }
      guard let value = halves.count > 1 ? String(halves[1]) : rest.popFirst(), !value.isEmpty else {
        throw UsageError(description: "\(flag) needs a value")
      }
      try take(flag, value)
    }
    try check()
  }

  private static let flags = ["--listen", "--client-id", "--account", "--mailbox", "--auto-consent"]

  private mutating func take(_ flag: String, _ value: String) throws(UsageError) {
    switch flag {
    case "--listen": (host, port) = try Self.address(value)
    case "--client-id":
      guard let client = OAuthClient(flag: value) else {
        throw UsageError(
          description: "--client-id must be ID[:ios|web|desktop[:SECRET]], and ios has no SECRET")
      }
      clients.append(client)
    case "--account":
      guard let account = Account(flag: value) else {
        throw UsageError(description: "--account must be EMAIL[=NAME], not \(value)")
      }
      accounts.append(account)
    case "--mailbox":
      let halves = value.split(separator: "=", maxSplits: 1)
      guard halves.count == 2, Account.isAddress(String(halves[0])) else {
        throw UsageError(description: "--mailbox must be EMAIL=DIR, not \(value)")
      }
      mailboxes.append((String(halves[0]), String(halves[1])))
    default: autoConsent = value
    }
  }

  private static func address(_ text: String) throws(UsageError) -> (String, UInt16) {
    guard let colon = text.lastIndex(of: ":"), colon != text.startIndex,
      let port = UInt16(text[text.index(after: colon)...])
    else { throw UsageError(description: "--listen must be HOST:PORT, not \(text)") }
    return (String(text[..<colon]), port)
  }

  /// Every address named must belong to an account; clients and accounts must be named once.
  private func check() throws(UsageError) {
    let known = accounts.map { $0.email.lowercased() }
    if let email = known.first(where: { email in known.count { $0 == email } > 1 }) {
      throw UsageError(description: "--account \(email) is given twice")
    }
    if let id = clients.map(\.id).first(where: { id in clients.count { $0.id == id } > 1 }) {
      throw UsageError(description: "--client-id \(id) is given twice")
    }
    for email in mailboxes.map(\.email) + [autoConsent].compactMap(\.self)
    where !known.contains(email.lowercased()) {
      throw UsageError(description: "there is no --account \(email)")
    }
  }

  /// What `--help` prints.
  package static let usage = """
    usage: google-emulator [--listen HOST:PORT] [--client-id ID[:ios|web|desktop[:SECRET]]]...
                           [--account EMAIL[=NAME]]... [--mailbox EMAIL=DIR]... [--auto-consent EMAIL]

      --listen HOST:PORT   where to listen (127.0.0.1:8085); port 0 picks a free one
      --client-id ID...    an OAuth client; the type is ios unless named, and only web and desktop have a secret
      --account EMAIL      an account that can sign in
      --mailbox EMAIL=DIR  puts the .eml files of DIR into the account's mailbox
      --auto-consent EMAIL signs this account in and allows everything, without showing a page
    """
}
