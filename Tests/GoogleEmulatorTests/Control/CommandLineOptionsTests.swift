import Primitives
import Testing

@testable import GoogleEmulator

@Suite struct CommandLineOptionsTests {
  @Test func `all flags are read, repeatable ones in order`() throws {
    let options = try CommandLineOptions([
      "--listen", "127.0.0.1:0", "--client-id", "a", "--client-id=b:web:s:e", "--client-id", "c:desktop",
      "--account",
      "a@x.example=Anna B", "--account", "c@x.example", "--mailbox", "a@x.example=/tmp/a=b", "--auto-consent",
      "c@x.example",
    ])
    #expect(options.host == "127.0.0.1" && options.port == 0)
    #expect(options.clients.map(\.id) == ["a", "b", "c"])
    #expect(options.clients.map(\.kind) == [.ios, .web, .desktop])
    #expect(options.clients[1].secret?.expose() == "s:e")
    #expect(options.accounts.map(\.name) == ["Anna B", "c"])
    #expect(options.mailboxes.map(\.directory) == ["/tmp/a=b"])
    #expect(options.autoConsent == "c@x.example")
  }

  @Test(arguments: [
    ["--nothing"], ["--listen"], ["--listen", "here"], ["--listen", "h:99999"], ["stray"],
    ["--client-id", "a:android"],
    ["--client-id", "a:ios:secret"], ["--client-id", ""], ["--account", "nobody"],
    ["--mailbox", "a@x.example"],
    ["--mailbox", "a@x.example=/tmp"], ["--auto-consent", "a@x.example"],
    ["--account", "a@x.example", "--account", "A@x.example"], ["--client-id", "a", "--client-id", "a:web:s"],
  ])
  func `wrong arguments are refused`(arguments: [String]) {
    #expect(throws: CommandLineOptions.UsageError.self) { try CommandLineOptions(arguments) }
  }

  @Test func `help wins over everything after it`() throws {
    #expect(try CommandLineOptions(["--help", "--nothing"]).wantsHelp)
  }
}
