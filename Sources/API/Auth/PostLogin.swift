import Domain
import HTTP
import Primitives
import WireModels

extension Application {
  /// `POST /v1/auth/login`: a new session.
  func postLogin(_ request: HTTPRequest) async throws(ErrorResponse) -> HTTPResponse {
    let body = try JSONBody(request, whenEmpty: "body") { .missingLoginField($0) }
    let email = try body.text("email")
    let password = Secret(try body.text("password"))
    let began = time.now()
    do throws(LogIn.Refusal) {
      let user = try await logIn(email: email, password: password, peer: clients(request))
      return .success(
        200, "Login successful!",
        SessionData(username: user.name, accessToken: sessions.begin(for: user, at: began)))
    } catch {
      throw ErrorResponse(error, hidesUnknownUsers: hidesUnknownUsers)
    }
  }
}
