import Domain
import HTTP
import Primitives
import WireModels

extension Application {
  /// `DELETE /v1/user/me`: removes the account and everything of it.
  func deleteUserMe(_ request: HTTPRequest) async throws(ErrorResponse) -> HTTPResponse {
    let claim = try sessions.claim(of: request)
    do throws(StoreError) {
      guard let user = try await users.user(claim.user) else { throw .noSuchUser }
      guard user.accepts(sessionIssuedAt: claim.issuedAt) else {
        return ErrorResponse.endedSession.response(to: request)
      }
      try await deleteAccount(claim.user)
    } catch {
      throw error == .noSuchUser ? .userNotFound : ErrorResponse(error, during: "user deletion")
    }
    return .success(200, "All data for user \(claim.user) deleted successfully!")
  }
}
