import Domain
import HTTP
import Primitives
import WireModels

extension Application {
  /// `POST /v1/auth/signup`: a new account and its first session. Other members than the three are ignored.
  func postSignup(_ request: HTTPRequest) async throws(ErrorResponse) -> HTTPResponse {
    let body = try JSONBody(request, whenEmpty: "body") { .missingSignupField($0) }
    let (email, name) = (try body.text("email"), try body.text("name"))
    let password = Secret(try body.text("password"))
    do throws(SignUp.Refusal) {
      let user = try await signUp(email: email, name: name, password: password)
      return .success(
        201, "Signup successful!",
        SessionData(username: user.name, accessToken: sessions.begin(for: user, at: user.createdAt)))
    } catch {
      throw ErrorResponse(error)
    }
  }
}
