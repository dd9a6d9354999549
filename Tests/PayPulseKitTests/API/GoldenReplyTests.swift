import FoundationEssentials
import HTTP
import PayPulseKit
import Primitives
import Testing
import WireModels

/// Replies of the existing Python backend and of the gateway before it, as they were recorded (with invented people),
/// and the variations that its contract allows. Each file of `Golden/` names the call, the reply and what it means.
@Suite("Replies of the existing backend")
struct GoldenReplyTests {
  struct Golden: Decodable, CustomTestStringConvertible {
    var name: String?
    let call: String
    let status: Int
    let fields: [String: String]
    let body: String
    let meaning: String
    var testDescription: String { name ?? call }
  }

  private static func all() throws -> [Golden] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
      path: "Golden")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
      let bytes = try Data(contentsOf: folder.appending(path: name))
      var golden = try JSONDecoder().decode(Golden.self, from: bytes)
      golden.name = name
      return golden
    }
  }

  @Test("there are recorded replies to every call")
  func coverage() throws {
    let calls = Dictionary(grouping: try Self.all(), by: \.call).mapValues(\.count)
    #expect(
      Set(calls.keys) == [
        "signIn", "signUp", "profile", "storeGmailTokens", "deleteAccount", "disconnectGmail",
      ])
    #expect(calls.values.reduce(0, +) >= 80)
  }

  @Test("each is understood", arguments: try all())
  func meaning(of golden: Golden) async throws {
    let api = APIClient(
      server: try Fixture.server(), http: OneReply(golden), retries: RetryPolicy(attempts: 1))
    #expect(try await meaning(of: golden.call, api) == golden.meaning)
  }

  private func meaning(of call: String, _ api: APIClient) async throws -> String {
    let session = try Fixture.session()
    do throws(APIError) {
      switch call {
      case "signIn": return text(try await api.signIn(email: "t@example.se", password: Secret("x")))
      case "signUp":
        return text(try await api.signUp(email: "t@example.se", name: "T", password: Secret("x")))
      case "profile": return text(try await api.profile(session))
      case "storeGmailTokens":
        return text(
          try await api.storeGmailTokens(GmailTokensRequest(accessToken: Secret("a"), scope: []), session))
      case "deleteAccount":
        try await api.deleteAccount(session)
        return "deleted"
      case "disconnectGmail":
        let data = try await api.disconnectGmail(session)
        return "disconnected, " + (data.map { "\($0.revoked)" } ?? "nothing said of the grant")
      default: return "unknown call"
      }
    } catch { return text(error) }
  }

  private func text(_ session: Session) -> String {
    "session of \(session.userID.rawValue), \(session.username)"
  }

  private func text(_ profile: ProfileData) -> String {
    "profile of \(profile.name), \(profile.email), \(profile.createdOn), connected \(profile.gmailAccountConnected), "
      + (profile.gmailConnection?.status.rawValue ?? "no more said")
  }

  private func text(_ data: GmailTokensData) -> String {
    "connected \(data.googleEmail), [\(data.scope)], switch \(data.accountSwitch) "
      + "from \(data.previousGoogleEmail ?? "-"): \(data.message)"
  }

  private func text(_ error: APIError) -> String {
    switch error {
    case .refused(let refusal):
      "refused \(refusal.status) \(refusal.code) \(refusal.reason?.rawValue ?? "-"): \(refusal.message)"
    case .sessionEnded(let code): "session ended \(code)"
    case .invalidReply(let status): "invalid reply \(status)"
    case .unreachable(let cause): "unreachable: \(cause)"
    }
  }
}

/// Gives the same reply to whatever is asked.
private struct OneReply: HTTPClient {
  let response: HTTPResponse

  init(_ golden: GoldenReplyTests.Golden) {
    let fields = HTTPFields(golden.fields.map { HTTPFields.Field(name: $0.key, value: $0.value) })
    response = HTTPResponse(status: golden.status, fields: fields, body: Array(golden.body.utf8))
  }

  func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPResponse { response }
}
