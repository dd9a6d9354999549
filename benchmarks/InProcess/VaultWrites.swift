import Domain
import Primitives
import SQLite

/// Durable stores of whole connections by 64 writers, each for a person of their own.
struct VaultWrites {
  let path: String
  private static let writers = 64

  func perSecond() async throws -> Double {
    let people = try await People(count: Self.writers, path: path)
    let connections = people.users.indices.map { People.connection(of: $0) }
    let rate = try await Throughput().perSecond(tasks: Self.writers) { writer, turn in
      let change = connections[writer](turn, TimeSource.system.now())
      try await people.vault.update(people.users[writer]) { _ in (change, ()) }
    }
    await people.database.close()
    return rate
  }
}
