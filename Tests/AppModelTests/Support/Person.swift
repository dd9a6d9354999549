import HTTP
import PayPulseKit
import Primitives
import Synchronization

/// Somebody at the browser: consents, declines or closes the page.
final class Person: RedirectReceiver {
  enum Answer: Sendable { case consents, declines, closes }
  private struct State {
    var answer = Answer.consents
    var consents = 0
  }
  private let state = Mutex(State())
  private let client: any HTTPClient
  private let redirectURI: String

  init(client: any HTTPClient, clientID: String) {
    self.client = client
    redirectURI = ReversedClientID.redirectURI(of: clientID) ?? ""
  }

  /// What they do next, and from then on.
  var answer: Answer {
    get { state.withLock { $0.answer } }
    set { state.withLock { $0.answer = newValue } }
  }

  /// How often they consented.
  var consents: Int { state.withLock { $0.consents } }

  func receive(
    _ begin: @escaping @Sendable (_ redirectURI: String) async throws(AuthorizationError) -> AuthorizationPage
  ) async throws(AuthorizationError) -> String {
    let page = try await begin(redirectURI)
    switch answer {
    case .closes: throw .cancelled
    case .declines: return redirectURI + "?error=access_denied&state=" + page.attempt.state.expose()
    case .consents: break
    }
    let reply: HTTPResponse
    do throws(HTTPClientError) {
      reply = try await client.send(HTTPClientRequest(method: .get, url: page.url))
    } catch { throw .network(error) }
    guard let location = reply.fields["Location"] else { throw .cancelled }
    state.withLock { $0.consents += 1 }
    return location
  }
}
