import Domain
import HTTP
import WireModels

extension Application {
  /// `DELETE /v1/user/me`: removes the account and everything of it.
  func deleteUserMe(_ request: HTTPRequest) async throws(ErrorResponse) -> HTTPResponse {
    let claims = try sessions.claims(of: request)
    let id = UserID(claims.userID)
    do throws(StoreError) {
      guard let user = try await users.user(id) else { throw .noSuchUser }
      guard user.accepts(sessionIssuedAt: claims.issuedAt) else { return ErrorResponse.endedSession.response(to: request) }
      try await deleteAccount(id)
    } catch {
      throw error == .noSuchUser ? .userNotFound : ErrorResponse(error, during: "user deletion")
    }
    return .success(200, "All data for user \(id) deleted successfully!")
  }
}
