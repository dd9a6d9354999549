import Cryptography
import Domain
import Primitives

/// Which way accounts are copied.
package enum MoveDirection: String, Sendable {
  /// From the data directory to AWS.
  case toAWS = "export"
  /// From AWS into the data directory.
  case intoDataDirectory = "import"
}

/// `export` and `import`: says of each account that is not there afterwards why not, and closes with counts, and
/// digests of both sides.
struct MoveData: Sendable {
  /// After so many accounts it is said how far it has come.
  private static let stride = 1000

  let direction: MoveDirection
  let mode: MoveMode
  let options: ServerOptions
  /// Whether the data directory has no database yet.
  let isNew: Bool
  let terminal: Terminal

  /// Moves between AWS and the data directory, whose accounts are nil where there is none, in a dry run.
  func callAsFunction(_ aws: AWSAccounts, to data: AccountPlace?) async throws -> Int32 {
    let directory = "data directory \(options.dataDirectory)"
    let move: MoveAccounts
    switch (direction, data) {
    case (.toAWS, let data?):
      terminal.print("export: \(directory) to \(aws.description)")
      move = accounts(from: data, to: aws.accounts)
    case (.intoDataDirectory, _):
      terminal.print("import: \(aws.description) to \(directory)")
      noteNewKey()
      move = accounts(from: aws.accounts, to: data)
    case (.toAWS, nil): throw FileError("There is no database in \(options.dataDirectory).")
    }
    if mode.isDryRun { terminal.print("dry run: nothing is changed") }
    do throws(MoveFailure) {
      var done = 0
      let summary = try await move { account in
        done += 1
        if let line = MoveReport.line(of: account, mode) { terminal.print(line) }
        if done.isMultiple(of: Self.stride) { terminal.complain("\(done) accounts looked at") }
      }
      let report = MoveReport(summary, mode)
      report.lines.forEach(terminal.print)
      report.complaints.forEach(terminal.complain)
      return report.status
    } catch {
      terminal.complain("Nothing was moved: \(MoveReport.explain(error))")
      return 1
    }
  }

  private func accounts(from source: AccountPlace, to destination: AccountPlace?) -> MoveAccounts {
    MoveAccounts(
      from: source, to: destination, mode: mode, digest: { Digest.sha256($0) }, time: .system)
  }

  /// A session is good only under the key that it was signed with.
  private func noteNewKey() {
    guard isNew, options.jwtSecret == .dataDirectory else { return }
    terminal.complain(
      "note: a new data directory gets a session key of its own, so that everyone has to sign in again. To keep "
        + "sessions, give the value of PayPulseAppJWTSecret by --jwt-secret-file, here and to serve.")
  }
}
