import Testing

@testable import paypulse

@Suite("Command line")
struct ArgumentParserTests {
  @Test("options stand before or after the command, with a blank or an equals sign")
  func order() throws {
    let expected = Invocation(
      server: "https://h", isJSON: true, command: .signUp(email: "a@example.com", name: "A B"))
    for line in [
      ["--server", "https://h", "--json", "signup", "--email", "a@example.com", "--name", "A B"],
      ["signup", "--name=A B", "--email=a@example.com", "--json", "--server=https://h"],
    ] {
      #expect(try ArgumentParser.parse(line) == expected)
    }
  }

  @Test("connecting takes a client id, a redirect and an emulator's address")
  func connect() throws {
    var options = ConnectOptions(clientID: "ID", googleBaseURL: "http://127.0.0.1:9")
    options.redirect = .scheme
    options.isAutomatic = true
    options.opensBrowser = false
    let line = [
      "connect-gmail", "--google-client-id", "ID", "--google-base-url", "http://127.0.0.1:9", "--redirect",
      "scheme",
      "--auto", "--no-browser",
    ]
    #expect(try ArgumentParser.parse(line).command == .connectGmail(options))
  }

  @Test(
    "what makes no sense is refused",
    arguments: [
      [], ["nonsense"], ["me", "too"], ["me", "--email", "e"], ["login", "--forget"], ["signup", "--email"],
      ["signup", "--email="], ["login", "--email", "a", "--email", "b"], ["login", "--password", "p"],
      ["login", "--password=p"], ["me", "--nonsense"], ["connect-gmail"],
      ["connect-gmail", "--google-client-id", "ID", "--auto"],
      ["connect-gmail", "--google-client-id", "ID", "--redirect", "web"], ["_deliver-redirect"],
    ])
  func refused(line: [String]) {
    #expect(throws: UsageError.self) { try ArgumentParser.parse(line) }
  }

  @Test("no message repeats a password")
  func passwordStaysOut() {
    let error = #expect(throws: UsageError.self) { try ArgumentParser.parse(["login", "--password=s3cret"]) }
    #expect(error?.message.contains("s3cret") == false)
  }

  @Test("help wins over everything", arguments: [["help"], ["--help"], ["me", "-h"]])
  func help(line: [String]) throws {
    #expect(try ArgumentParser.parse(line).command == .help)
  }

  @Test("a redirect is taken as it is, even if it looks like an option")
  func redirect() throws {
    #expect(try ArgumentParser.parse(["_deliver-redirect", "--x"]).command == .deliverRedirect("--x"))
  }
}

@Suite("Places and texts")
struct PlacesAndTextsTests {
  @Test("files live under XDG_CONFIG_HOME, else ~/.config; a relative path counts as none")
  func directories() {
    #expect(ConfigurationDirectory(["XDG_CONFIG_HOME": "/x"])?.session == "/x/paypulse/session.json")
    #expect(ConfigurationDirectory(["HOME": "/h", "XDG_CONFIG_HOME": "x"])?.path == "/h/.config/paypulse")
    #expect(ConfigurationDirectory([:]) == nil)
  }

  @Test("a server's text cannot steer the terminal")
  func printable() {
    #expect(Terminal.printable("a\u{1B}[2Jb\u{9B}c\r\nd") == "a\u{FFFD}[2Jb\u{FFFD}c\u{FFFD}\nd")
    #expect(Terminal.printable("Åsa 🙂") == "Åsa 🙂")
  }

  @Test("an argument of a desktop entry is quoted as the specification says")
  func quoted() {
    #expect(SchemeRegistration.quoted("/opt/pay pulse") == #""/opt/pay pulse""#)
    #expect(SchemeRegistration.quoted(#"a"b$c%d\e"#) == #""a\\"b\\$c%%d\\\\e""#)
  }
}
