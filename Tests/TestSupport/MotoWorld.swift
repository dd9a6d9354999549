import Synchronization

/// An empty AWS for one test: a region of its own on the one `moto` server of this process.
package struct MotoWorld: Sendable {
  /// Where all of its services listen.
  package let endpoint: String
  /// Its region, which no other world has.
  package let region: String

  /// What a process has to find in its environment to be in this world.
  package var environment: [String: String] {
    [
      "AWS_ENDPOINT_URL": endpoint, "AWS_REGION": region, "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
      "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
      "AWS_SESSION_TOKEN": "a session/token+of=a role",
    ]
  }

  /// A new world.
  package static func new() async throws -> MotoWorld {
    let number = lastNumber.add(1, ordering: .relaxed).newValue
    return MotoWorld(endpoint: try await server.url(), region: "eu-test-\(number)")
  }

  // One server a process: starting one takes longer than most tests.
  private static let server = SharedMoto()
  private static let lastNumber = Atomic<Int>(0)
}

/// Starts the server for the first who asks.
private actor SharedMoto {
  private var start: Task<PythonServer, any Error>?

  func url() async throws -> String {
    let start = self.start ?? Task { try await PythonServer.start("acceptance/aws/serial_moto.py") }
    self.start = start
    return try await start.value.url
  }
}
