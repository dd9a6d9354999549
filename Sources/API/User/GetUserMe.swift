import Domain
import HTTP
import Primitives
import WireModels

extension Application {
  /// `GET /v1/user/me`: who the user is, and how Gmail is connected. It never calls Google.
  func getUserMe(_ request: HTTPRequest) async throws(ErrorResponse) -> HTTPResponse {
    let claim = try sessions.claim(of: request)
    let profile: Profile?
    do throws(StoreError) { profile = try await users.profile(of: claim.user) } catch {
      throw ErrorResponse(error, during: "user retrieval")
    }
    guard let profile else { throw .userNotFound }
    guard profile.user.accepts(sessionIssuedAt: claim.issuedAt) else { throw .endedSession }
    return .success(200, "User profile retrieved successfully", ProfileData(profile, at: time.now()))
  }
}

extension ProfileData {
  init(_ profile: Profile, at now: Timestamp) {
    self.init(
      name: profile.user.name, email: profile.user.email, createdOn: profile.user.createdAt.iso8601,
      gmailAccountConnected: profile.connection?.isConnected(at: now) ?? false,
      gmailConnection: profile.connection.map { GmailConnectionData($0, at: now) }
        ?? GmailConnectionData(status: .notConnected))
  }
}

extension GmailConnectionData {
  init(_ connection: GmailConnection, at now: Timestamp) {
    func known(_ text: String) -> String? { text.isEmpty ? nil : text }
    self.init(
      status: .init(rawValue: connection.status(at: now).rawValue),
      reason: connection.reason(at: now).map { ErrorReason(rawValue: $0.rawValue) },
      googleEmail: known(connection.account.email), scope: known(connection.scopes.joined),
      connectedAt: connection.connectedAt.iso8601, lastRefreshedAt: connection.lastRefreshedAt?.iso8601,
      worksUntil: connection.worksUntil(at: now)?.iso8601)
  }
}
