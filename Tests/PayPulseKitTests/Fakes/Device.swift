import PayPulseKit
import Primitives

/// A device with the kit on it, its network and clock in the test's hands.
struct Device {
  let world = FakeWorld()
  let clock = ManualClock()
  let store = InMemoryUndeliveredTokensStore()
  let delivery: TokenDelivery
  private let google: GoogleTokenClient
  private let random = Fixture.random()

  init(attempts: Int = 1) throws {
    let retries = RetryPolicy(attempts: attempts)
    google = GoogleTokenClient(http: world, retries: retries, time: clock.source)
    let api = APIClient(
      server: try Fixture.server(), http: world, retries: retries, time: clock.source, random: random)
    delivery = TokenDelivery(api: api, google: google, store: store, time: clock.source)
  }

  /// The same device after the process was killed: only what was stored is left.
  func restarted() throws -> TokenDelivery {
    let api = APIClient(
      server: try Fixture.server(), http: world, retries: RetryPolicy(attempts: 1), time: clock.source)
    return TokenDelivery(api: api, google: google, store: store, time: clock.source)
  }

  func connector(_ answer: FakeBrowser.Answer? = nil) -> GmailConnector {
    let authorizer = WebAuthorizer(
      clientID: Fixture.clientID, receiver: FakeBrowser(world: world, answer: answer), tokens: google,
      sha256: Fixture.sha256, time: clock.source, random: random)
    return GmailConnector(authorizer: authorizer, delivery: delivery, store: store)
  }
}
