import API
import AWS
import Domain
import Primitives

/// Does what the operator asks for, and says the same as the server's command line.
struct ObeyOperator {
  let backend: Backend
  let deadline: InvocationDeadline
  let time: TimeSource

  func callAsFunction(_ command: OperatorEvent) async throws(LambdaFailure) -> [UInt8] {
    do throws(StoreError) { return Self.result(try await report(command)) } catch {
      throw .notDone("The store gave no answer.")
    }
  }

  private func report(_ command: OperatorEvent) async throws(StoreError) -> OperatorReport {
    switch command {
    case .connections: return try await ListConnections(vault: backend.vault, time: time)()
    case .restore(let email):
      return await RestoreAside(users: backend.users, vault: backend.vault, time: time)(email: email)
    case .setPassword(let email, let password):
      return await ChangePassword(users: backend.users, passwords: backend.passwords, time: time)(
        password, email: email)
    case .checkConnection(let email, let concurrent, let showsLatest):
      let patience = deadline.remaining(at: time.now()) ?? .seconds(90)
      return try await backend.checkConnection(patience: patience, time: time)(
        email: email, concurrent: concurrent, showsLatest: showsLatest)
    }
  }

  private static func result(_ report: OperatorReport) -> [UInt8] {
    JSONValue.object([
      "status": .integer(Int64(report.status)),
      "output": .array(report.output.map { .string($0) }),
      "complaints": .array(report.complaints.map { .string($0) }),
    ]).serialized
  }
}
