import Cryptography
import PayPulseKit
import Primitives
import Testing

@Suite("The documentation's first example")
struct FirstExampleTests {
  @Test("connects Gmail, without a change", arguments: Transport.allCases)
  func runs(over transport: Transport) async throws {
    try await World.with(transport) { world in
      _ = try await TestDevice(in: world).signUp("user@example.com")
      let example = FirstExample(
        server: world.server, clientID: World.clientID, email: "user@example.com", folder: world.undelivered,
        password: Secret("correct horse"), endpoints: GoogleEndpoints(baseURL: world.google),
        http: world.client, receiver: ConsentingBrowser(client: world.client),
        sha256: { Digest.sha256($0) })
      #expect(try await example.run() == "Connected: ada@example.org")
    }
  }
}
