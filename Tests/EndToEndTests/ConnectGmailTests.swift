import API
import Domain
import HTTP
import PayPulseKit
import Primitives
import Testing
import WireModels
import paypulse_server

@Suite("Connecting Gmail, from the device to the store")
struct ConnectGmailTests {
  @Test("a person signs up, connects, is shown as connected, and lets go", arguments: Transport.allCases)
  func wholeLife(transport: Transport) async throws {
    try await World.with(transport) { world in
      let device = try TestDevice(in: world)
      let session = try await device.signUp()
      #expect(try await device.api.profile(session).gmailAccountConnected == false)

      let reply = try await device.connect(in: session)
      #expect(reply.googleEmail == World.accounts[0])
      #expect(reply.message == "First Gmail connection")
      #expect(!reply.accountSwitch)

      let profile = try await device.api.profile(session)
      #expect(profile.gmailAccountConnected)
      #expect(profile.gmailConnection?.status == .connected)
      #expect(profile.gmailConnection?.googleEmail == World.accounts[0])

      #expect(try await device.api.disconnectGmail(session)?.revoked == .revoked)
      #expect(try await device.api.profile(session).gmailConnection?.status == .notConnected)
    }
  }

  @Test(
    "an access token that ended at Google is refreshed once, and the mailbox opens",
    arguments: Transport.allCases)
  func refresh(transport: Transport) async throws {
    try await World.with(transport) { world in
      let device = try TestDevice(in: world)
      let session = try await device.signUp()
      _ = try await device.connect(in: session)
      let user = try #require(
        await world.assembly.backend.users.user(withEmail: EmailAddress(lookingUp: "user@example.com")))
      let before = try await world.calls(of: "token")
      let stale = try await world.assembly.backend.tokens.accessToken(for: user.id)

      let fresh = try await world.assembly.backend.tokens.accessToken(for: user.id, rejecting: stale)

      #expect(fresh != stale)
      #expect(try await world.calls(of: "token") == before + 1)
    }
  }

  @Test("another Google account is noticed, and the old grant is revoked", arguments: Transport.allCases)
  func accountSwitch(transport: Transport) async throws {
    try await World.with(transport) { world in
      let device = try TestDevice(in: world)
      let session = try await device.signUp()
      _ = try await device.connect(in: session)
      let tokens = try await world.mint(World.accounts[1])

      let reply = try await device.api.storeGmailTokens(tokens, session)

      #expect(reply.accountSwitch)
      #expect(reply.message == "Switching from \(World.accounts[0]) to \(World.accounts[1])")
      #expect(reply.previousGoogleEmail == World.accounts[0])
      await world.assembly.drain()
      #expect(try await world.calls(of: "revoke") == 1)
    }
  }

  @Test("a box left unticked is told apart, and nothing is stored", arguments: Transport.allCases)
  func missingPermission(transport: Transport) async throws {
    try await World.with(transport) { world in
      try await world.control("/settings", ["untick_scopes": [.string(MailPermission.readMail)]])
      let device = try TestDevice(in: world)
      let session = try await device.signUp()
      guard case .mailPermissionMissing = try await device.connector.connect(in: session) else {
        throw Surprise("connected without the permission to read mail")
      }
      #expect(try await device.api.profile(session).gmailAccountConnected == false)
    }
  }

  @Test(
    "an upload that Google cannot prove now is kept on the device and delivered later",
    arguments: Transport.allCases)
  func lateDelivery(transport: Transport) async throws {
    try await World.with(transport) { world in
      let device = try TestDevice(in: world)
      let session = try await device.signUp()
      try await world.control("/faults", ["endpoint": "tokeninfo", "status": 503, "body": "", "times": 20])
      await #expect(throws: ConnectError.self) { try await device.connector.connect(in: session) }
      try await world.control("/faults", ["endpoint": "tokeninfo", "times": 0])
      let consents = try await world.calls(of: "auth")

      #expect(try await device.connect(in: session).googleEmail == World.accounts[0])
      #expect(try await world.calls(of: "auth") == consents)
    }
  }

  @Test("deleting the account ends the session and leaves nothing", arguments: Transport.allCases)
  func deletion(transport: Transport) async throws {
    try await World.with(transport) { world in
      let device = try TestDevice(in: world)
      let session = try await device.signUp()
      _ = try await device.connect(in: session)
      try await device.lifecycle.deleteAccount(session)
      await #expect(throws: APIError.self) { try await device.api.profile(session) }
      #expect(try await world.assembly.backend.vault.connections().isEmpty)
      #expect(try await world.calls(of: "revoke") == 1)
    }
  }
}

extension World {
  /// A pair of tokens straight from the emulator.
  func mint(_ email: String) async throws -> GmailTokensRequest {
    let scopes = ["openid", "https://www.googleapis.com/auth/userinfo.email", MailPermission.readMail]
    let body: JSONValue = [
      "email": .string(email), "client_id": .string(Self.clientID),
      "scope": .string(scopes.joined(separator: " ")),
    ]
    let response = try await client.send(
      HTTPClientRequest(method: .post, url: google + "/_emulator/tokens", body: body.serialized))
    let reply = try World.json(response)
    guard let access = reply["access_token"]?.string, let refresh = reply["refresh_token"]?.string else {
      throw Surprise("the emulator gave no tokens")
    }
    return GmailTokensRequest(accessToken: Secret(access), refreshToken: Secret(refresh), scope: scopes)
  }
}
