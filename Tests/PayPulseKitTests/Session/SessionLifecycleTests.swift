import HTTP
import PayPulseKit
import Primitives
import Testing
import WireModels

@Suite("Session lifecycle")
struct SessionLifecycleTests {
  private let sessions = InMemorySessionStore()

  private func lifecycle(_ device: Device, _ http: any HTTPClient) throws -> SessionLifecycle {
    SessionLifecycle(
      api: APIClient(server: try Fixture.server(), http: http, time: device.clock.source), sessions: sessions,
      undelivered: device.store)
  }

  private func deviceWithUndelivered(_ session: Session) async throws -> Device {
    let device = try Device()
    await device.world.cut(.upload, .beforeArrival)
    _ = try? await device.connector().connect(in: session)
    await sessions.save(session)
    return device
  }

  @Test("signing out keeps undelivered tokens for the user's next sign-in; forgetting erases them")
  func signOut() async throws {
    let session = try Fixture.session()
    let device = try await deviceWithUndelivered(session)
    try await lifecycle(device, ScriptedHTTP([])).signOut(session, forgetting: false)
    #expect(await sessions.session == nil)
    #expect(await device.store.records.count == 1)
    try await lifecycle(device, ScriptedHTTP([])).signOut(session, forgetting: true)
    #expect(await device.store.records.isEmpty)
  }

  @Test("deleting the account erases session and undelivered tokens, once the server has confirmed")
  func deleteAccount() async throws {
    let session = try Fixture.session()
    let device = try await deviceWithUndelivered(session)
    let http = ScriptedHTTP([.failure(.timedOut), .reply(200, #"{"message":"deleted","data":null}"#)])
    await #expect(throws: SessionError.api(.unreachable(.timedOut))) {
      try await lifecycle(device, http).deleteAccount(session)
    }
    #expect(await sessions.session != nil)
    #expect(await device.store.records.count == 1)
    try await lifecycle(device, http).deleteAccount(session)
    #expect(await sessions.session == nil)
    #expect(await device.store.records.isEmpty)
  }
}
