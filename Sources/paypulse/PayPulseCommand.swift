import Curl
import PayPulseKit
import Primitives

/// The command-line client: reads the command line, runs one command, and ends with its status.
@main
enum PayPulseCommand {
  static func main() async {
    let status = await run(
      Array(CommandLine.arguments.dropFirst()), environment: ProcessEnvironment.variables)
    Process.exit(status)
  }

  static func run(_ arguments: [String], environment: [String: String]) async -> ExitStatus {
    let invocation: Invocation
    do { invocation = try ArgumentParser.parse(arguments) } catch {
      Terminal(isJSON: true).note("paypulse: \(error.message)\n\n\(Usage.text)")
      return .usage
    }
    let terminal = Terminal(isJSON: invocation.isJSON)
    if invocation.command == .help {
      terminal.page(Usage.text)
      return .done
    }
    guard let directory = ConfigurationDirectory(environment) else {
      terminal.note("paypulse: set HOME or XDG_CONFIG_HOME, so that the session has a place.")
      return .usage
    }
    let context = CommandContext(
      invocation: invocation, terminal: terminal, directory: directory, environment: environment,
      http: CurlHTTPClient())
    do throws(CommandFailure) { try await context.run() } catch {
      terminal.note("paypulse: \(error.message)")
      return error.status
    }
    return .done
  }
}

extension CommandContext {
  /// Carries out the command.
  func run() async throws(CommandFailure) {
    switch invocation.command {
    case .help: break
    case .signUp(let email, let name): try await signUp(email: email, name: name)
    case .signIn(let email): try await signIn(email: email)
    case .signOut(let forgetting): try await signOut(forgetting: forgetting)
    case .connectGmail(let options): try await connectGmail(options)
    case .disconnectGmail: try await disconnectGmail()
    case .profile: try await showProfile()
    case .deliverRedirect(let redirect): try await deliverRedirect(redirect)
    }
  }
}
