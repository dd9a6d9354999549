import Domain
import HTTP
import Primitives
import WireModels

extension Application {
  /// `DELETE /v1/auth/gmail-tokens`: disconnects. Repeating it is fine.
  func deleteGmailTokens(_ request: HTTPRequest) async throws(ErrorResponse) -> HTTPResponse {
    let user = try await sessions.user(of: request)
    do throws(StoreError) {
      let revocation = try await disconnectGmail(user.id)
      return .success(
        200, "Gmail disconnected successfully!", GmailDisconnectData(revoked: .init(revocation)))
    } catch {
      throw ErrorResponse(error, during: "Gmail disconnection")
    }
  }
}

extension GmailDisconnectData.Revocation {
  fileprivate init(_ revocation: DisconnectGmail.Revocation) {
    switch revocation {
    case .revoked: self = .revoked
    case .notNeeded: self = .notRevoked
    case .pending: self = .pending
    }
  }
}
