import Glibc
import GoogleEmulator
import HTTP
import HTTPServer
import Primitives

/// `google-emulator`: serves the emulator until it is told to end.
@main
struct GoogleEmulatorCommand {
  static func main() async {
    do {
      let options = try CommandLineOptions(Array(CommandLine.arguments.dropFirst()))
      guard !options.wantsHelp else { return say(CommandLineOptions.usage) }
      try await serve(options)
    } catch let error as CommandLineOptions.UsageError {
      fail("google-emulator: \(error)\n\(CommandLineOptions.usage)", status: 2)
    } catch {
      fail("google-emulator: \(error)", status: 1)
    }
  }

  private static func serve(_ options: CommandLineOptions) async throws {
    var messages: [EmulatorConfiguration.SeedMessage] = []
    for mailbox in options.mailboxes {
      messages += try MailDirectory(path: mailbox.directory).messages(for: mailbox.email)
    }
    let configuration = EmulatorConfiguration(
      clients: options.clients, accounts: options.accounts, messages: messages,
      autoConsent: options.autoConsent)
    let emulator = Emulator(configuration: configuration, keys: try SigningKeys())
    let server = try HTTPServer(
      configuration: HTTPServerConfiguration(host: options.host, port: options.port, limits: limits),
      responder: emulator, log: .silent, failure: { status, _ in HTTPResponse(status: status) })
    let signals = try Signals.stream([.terminate, .interrupt])
    for notice in configuration.notices { say("google-emulator: \(notice)", to: STDERR_FILENO) }
    say("listening on http://\(options.host):\(server.address.port)")
    await run(server, until: signals)
  }

  private static func run(_ server: HTTPServer, until signals: AsyncStream<Signal>) async {
    let ending = Task {
      for await _ in signals { server.shutdown() }
    }
    await server.run()
    ending.cancel()
  }

  /// Room for whole messages and full batches; a call that waits on purpose must not be cut at the end.
  private static var limits: HTTPServerLimits {
    var limits = HTTPServerLimits()
    limits.bodyBytes = 96 << 20
    limits.requestTime = .seconds(60)
    limits.drainTime = .seconds(1)
    return limits
  }

  private static func say(_ line: String, to descriptor: Int32 = STDOUT_FILENO) {
    FileIO.writeText(line + "\n", to: descriptor)
  }

  private static func fail(_ text: String, status: Int32) -> Never {
    say(text, to: STDERR_FILENO)
    exit(status)
  }
}
