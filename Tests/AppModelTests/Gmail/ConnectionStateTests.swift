import Primitives
import Testing
import WireModels

@testable import AppModel

@Suite("What a profile says of the connection")
struct ConnectionStateTests {
  private func profile(_ isConnected: Bool, _ connection: GmailConnectionData?) -> ProfileData {
    ProfileData(
      name: "Ada", email: "user@example.com", createdOn: "2025-01-01", gmailAccountConnected: isConnected,
      gmailConnection: connection)
  }

  /// Every status that a server of this version sends, one of a newer server, and an older server's silence.
  private static let statuses: [ConnectionStatus?] = [
    nil, .notConnected, .connected, .limited, .blocked, .needsReconnect,
    ConnectionStatus(rawValue: "dreaming"),
  ]

  @Test(
    "the flag alone decides whether it counts as connected, whatever status stands beside it",
    arguments: statuses)
  func flag(status: ConnectionStatus?) {
    let connection = status.map { GmailConnectionData(status: $0, googleEmail: "ada@example.org") }
    switch GmailConnectionModel.State(profile(true, connection)) {
    case .connected, .limited, .blocked: break
    case let state: Issue.record("connected by the flag, and shown as \(state)")
    }
    switch GmailConnectionModel.State(profile(false, connection)) {
    case .notConnected, .needsReconnect: break
    case let state: Issue.record("not connected by the flag, and shown as \(state)")
    }
  }

  @Test("an older server tells no address, and it is still connected")
  func olderServer() {
    #expect(GmailConnectionModel.State(profile(true, nil)) == .connected(address: nil))
    #expect(GmailConnectionModel.State(profile(false, nil)) == .notConnected)
  }

  @Test("a connection for a while says until when")
  func limited() {
    let connection = GmailConnectionData(
      status: .limited, googleEmail: "ada@example.org", worksUntil: "2025-01-01T01:00:00Z")
    #expect(
      GmailConnectionModel.State(profile(true, connection))
        == .limited(address: "ada@example.org", until: Timestamp(seconds: 1_735_693_200)))
  }

  @Test(
    "a dead connection says why and what to do, for every reason and one of a newer server",
    arguments: [
      (ErrorReason.accessExpired, MessageKey.accessEnded, MessageKey.reconnect),
      (.invalidGrant, .grantWithdrawn, .reconnect),
      (.invalidRAPT, .organisationAsksAgain, .reconnectAndAskAdministrator),
      (.unreadable, .connectionUnreadable, .reconnect),
      (ErrorReason(rawValue: "moon_phase"), .connectionBroken, .reconnect),
      (nil, .connectionBroken, .reconnect),
    ] as [(ErrorReason?, MessageKey, MessageKey)])
  func reasons(reason: ErrorReason?, why: MessageKey, whatToDo: MessageKey) {
    let connection = GmailConnectionData(
      status: .needsReconnect, reason: reason, googleEmail: "ada@example.org")
    #expect(
      GmailConnectionModel.State(profile(false, connection))
        == .needsReconnect(address: "ada@example.org", why: Message(why), whatToDo: Message(whatToDo)))
  }

  @Test(
    "the account before a switch is the server's word, else its sentence's, else what was shown",
    arguments: [
      ("a@x.org", "Switching from b@x.org to n@x.org", "c@x.org", "a@x.org"),
      (nil, "Switching from b@x.org to n@x.org", "c@x.org", "b@x.org"),
      (nil, "Another account", "c@x.org", "c@x.org"), (nil, "Switching from nothing to n@x.org", nil, nil),
      (nil, "Switching from b@x.org to another@x.org", nil, nil),
    ] as [(String?, String, String?, String?)])
  func before(previous: String?, sentence: String, shown: String?, expected: String?) {
    let data = GmailTokensData(
      googleEmail: "n@x.org", scope: "", accountSwitch: true, message: sentence, previousGoogleEmail: previous
    )
    let warning =
      expected.map { Message(.switched, $0, "n@x.org") } ?? Message(.switchedFromUnknown, "n@x.org")
    #expect(
      GmailConnectionModel.State(switchedBy: data, shown: shown)
        == .switched(from: expected, to: "n@x.org", warning: warning))
  }
}
