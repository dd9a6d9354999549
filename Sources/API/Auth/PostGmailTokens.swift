import Domain
import HTTP
import Primitives
import WireModels

extension Application {
  /// `POST /v1/auth/gmail-tokens` and its alias: takes the Google tokens that a device obtained.
  func postGmailTokens(_ request: HTTPRequest) async throws(ErrorResponse) -> HTTPResponse {
    let user = try await sessions.user(of: request)
    let tokens = try GmailTokensBody.read(request)
    if let wait = uploads?.admit(user.id.rawValue, at: time.now()) { throw .rateLimited("uploads", wait) }
    do throws(ConnectRefusal) {
      let reply = try await connectGmail(user.id, tokens)
      return .success(201, "Gmail OAuth tokens stored successfully!", GmailTokensData(reply))
    } catch {
      throw ErrorResponse(error)
    }
  }
}

extension GmailTokensData {
  /// The contract's words for what happened.
  fileprivate init(_ reply: ConnectReply) {
    let message =
      switch reply.kind {
      case .first: "First Gmail connection"
      case .same: "Same Google account or first connection"
      case .switched: "Switching from \(reply.previousGoogleEmail ?? "") to \(reply.googleEmail)"
      }
    self.init(
      googleEmail: reply.googleEmail, scope: reply.scope, accountSwitch: reply.kind == .switched,
      message: message, previousGoogleEmail: reply.previousGoogleEmail)
  }
}
