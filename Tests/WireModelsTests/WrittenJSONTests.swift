import FoundationEssentials
import Primitives
import Testing
import WireModels

@Suite("Replies write themselves as a JSONEncoder would")
struct WrittenJSONTests {
  private func expectSame(_ value: some Encodable & JSONWritable) throws {
    var text = JSONText()
    value.write(to: &text)
    let decoder = JSONDecoder()
    let written = try decoder.decode(JSONValue.self, from: Data(text.bytes))
    let encoded = try decoder.decode(JSONValue.self, from: JSONEncoder().encode(value))
    #expect(written == encoded)
  }

  @Test("a profile, with everything known and with nothing")
  func profile() throws {
    let connection = GmailConnectionData(
      status: .blocked, reason: .accessExpired, googleEmail: "å\"\\\u{1}\n@example.com", scope: "a b",
      connectedAt: "c", lastRefreshedAt: "r", worksUntil: "w")
    try expectSame(
      ProfileData(
        name: "Zoë 🦊", email: "z@example.com", createdOn: "d", gmailAccountConnected: true,
        gmailConnection: connection))
    try expectSame(
      ProfileData(
        name: "", email: "", createdOn: "", gmailAccountConnected: false,
        gmailConnection: GmailConnectionData(status: .notConnected)))
    try expectSame(
      ProfileData(name: "", email: "", createdOn: "", gmailAccountConnected: false, gmailConnection: nil))
  }

  @Test("a connect, with and without another account before")
  func tokens() throws {
    for previous in ["b@example.com", nil] {
      try expectSame(
        GmailTokensData(
          googleEmail: "a@example.com", scope: "s t", accountSwitch: previous != nil, message: "m",
          previousGoogleEmail: previous))
    }
  }

  @Test("a disconnect, however it ended")
  func disconnect() throws {
    for revoked in [GmailDisconnectData.Revocation.revoked, .notRevoked, .pending] {
      try expectSame(GmailDisconnectData(revoked: revoked))
    }
  }

  @Test("a session")
  func session() throws {
    try expectSame(SessionData(username: "Ada", accessToken: Secret("a.b.c")))
  }

  @Test("an envelope, with data, without data and without a code")
  func success() throws {
    try expectSame(SuccessEnvelope(message: "m", code: 201, data: GmailDisconnectData(revoked: .pending)))
    try expectSame(SuccessEnvelope<NoData>(message: "m", code: 200, data: nil))
    var envelope = SuccessEnvelope(message: "", code: 200, data: NoData())
    envelope.code = nil
    try expectSame(envelope)
  }

  @Test("an error, with everything known and with little")
  func error() throws {
    try expectSame(
      ErrorEnvelope(
        code: .invalidRequest, message: "'x' is \"wrong\"", reason: .wrongAudience, requestID: "r"))
    try expectSame(ErrorEnvelope(code: .notFound, message: ""))
  }
}
