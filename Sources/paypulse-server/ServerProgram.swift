import API
import Curl
import Domain
import Glibc
import HTTP
import Primitives
import SQLite

/// The program: reads what it is asked to do, and does it.
@main
struct ServerProgram {
  private let environment: [String: String]
  private let terminal = Terminal()

  static func main() async {
    umask(0o077)
    exit(
      await ServerProgram(environment: ProcessEnvironment.variables).run(
        Array(CommandLine.arguments.dropFirst())))
  }

  private func run(_ arguments: [String]) async -> Int32 {
    do {
      let (options, rest) = try ReadOptions(environment: environment)(arguments)
      return try await perform(try Command(rest), options)
    } catch let error as UsageError {
      terminal.complain("\(error.message)\nRun 'paypulse-server help' for all commands and flags.")
      return 2
    } catch let error as FileError {
      terminal.complain(error.message)
      return 1
    } catch {
      terminal.complain("\(error)")
      return 1
    }
  }

  private func perform(_ command: Command, _ options: ServerOptions) async throws -> Int32 {
    switch command {
    case .help: terminal.print(Command.usage)
    case .checkConfig: return CheckConfig(options: options, environment: environment, terminal: terminal)()
    case .serve:
      if let exposure = options.exposure { throw UsageError(exposure) }
      return try await with(options, mayCreate: true) {
        try await Serve(assembly: $0, terminal: terminal, log: terminal.log)()
      }
    case .move(let direction, let mode): return try await move(direction, mode, options)
    case .connections:
      return try await with(options) { terminal.show(try await ListConnections(vault: $0.backend.vault)()) }
    case .restore(let email):
      return try await with(options) {
        terminal.show(await RestoreAside(users: $0.backend.users, vault: $0.backend.vault)(email: email))
      }
    case .setPassword(let email):
      return try await with(options) { assembly in
        guard let password = terminal.readSecret(prompt: "New password for \(email): ") else {
          terminal.complain("Give the new password on standard input.")
          return 2
        }
        let change = ChangePassword(users: assembly.backend.users, passwords: assembly.backend.passwords)
        return terminal.show(await change(password, email: email))
      }
    case .checkConnection(let email, let concurrent, let showsLatest):
      return try await with(options) { assembly in
        try await Interruptible { [terminal] in
          terminal.show(
            try await assembly.backend.checkConnection(patience: .seconds(90), time: .system)(
              email: email, concurrent: concurrent, showsLatest: showsLatest))
        }()
      }
    }
    return 0
  }

  private func move(_ direction: MoveDirection, _ mode: MoveMode, _ options: ServerOptions) async throws
    -> Int32
  {
    let cloud = try AWSOptions(environment: environment)
    let data = DataDirectory(options.dataDirectory)
    let isNew = direction == .intoDataDirectory && !data.hasDatabase
    let run = MoveData(direction: direction, mode: mode, options: options, isNew: isNew, terminal: terminal)
    let client = CurlHTTPClient()
    let result: Result<Int32, any Error>
    do {
      let aws = try cloud.connect(through: client, log: terminal.log)
      try await aws.checkTables()
      if isNew, mode.isDryRun {
        if let problem = data.problem(options, environment: environment) { throw FileError(problem) }
        result = .success(try await Interruptible { try await run(aws, to: nil) }())
      } else {
        result = .success(
          try await with(options, mayCreate: isNew) { assembly in
            try await Interruptible { try await run(aws, to: assembly.accounts) }()
          })
      }
    } catch { result = .failure(error) }
    await client.shutdown()
    return try result.get()
  }

  /// Runs `work` over the open database, and ends only after everything in the air has landed.
  private func with(
    _ options: ServerOptions, mayCreate: Bool = false, _ work: (Assembly) async throws -> Int32
  ) async throws -> Int32 {
    let client = CurlHTTPClient()
    let directory = DataDirectory(options.dataDirectory)
    let assembly = try await directory.open(
      options, environment: environment, random: .system, mayCreate: mayCreate
    ) { keys in
      let database = try await OpenDatabase(path: directory.database, log: terminal.log)(keys: keys)
      return try Assembly(options: options, keys: keys, database: database, client: client, log: terminal.log)
    }
    let result: Result<Int32, any Error>
    do { result = .success(try await work(assembly)) } catch { result = .failure(error) }
    await assembly.drain()
    await client.shutdown()
    await assembly.database.close()
    return try result.get()
  }
}
