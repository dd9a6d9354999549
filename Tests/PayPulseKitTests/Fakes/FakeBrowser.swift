import FoundationEssentials
import HTTP
import PayPulseKit
import Primitives

/// A person with a browser: consents at once, or does what `answer` says.
struct FakeBrowser: RedirectReceiver {
  typealias Answer = @Sendable (_ page: AuthorizationPage) async throws(AuthorizationError) -> String

  let world: FakeWorld
  var redirectURI = "com.googleusercontent.apps.123-abc:/oauth2callback"
  var answer: Answer?

  func receive(
    _ begin: @escaping @Sendable (String) async throws(AuthorizationError) -> AuthorizationPage
  ) async throws(AuthorizationError) -> String {
    let page = try await begin(redirectURI)
    if let answer { return try await answer(page) }
    return await consented(page)
  }

  func consented(_ page: AuthorizationPage) async -> String {
    let code = await world.code(nonce: page.attempt.nonce.expose())
    return redirectURI + "?"
      + FormCoding.encode([
        ("state", page.attempt.state.expose()), ("code", code), ("iss", "https://accounts.google.com"),
        ("authuser", "0"),
      ])
  }
}

extension AuthorizationPage {
  var parameters: [String: String] {
    let query = url[(url.firstIndex(of: "?") ?? url.endIndex)...].dropFirst()
    return Dictionary((FormCoding.decode(query) ?? []).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }
}

func parse(_ text: String) -> JSONValue? { try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }
