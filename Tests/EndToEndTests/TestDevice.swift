import Cryptography
import Domain
import HTTP
import PayPulseKit
import Primitives
import WireModels

/// A device with the kit on it, whose browser consents at once.
struct TestDevice: Sendable {
  let api: APIClient
  let lifecycle: SessionLifecycle
  let connector: GmailConnector

  init(in world: World) throws {
    let endpoints = PayPulseKit.GoogleEndpoints(baseURL: world.google)
    // Passwords are hashed when nobody else needs the processor, which on a busy machine may take its time.
    api = APIClient(
      server: try ServerAddress(world.server), http: world.client,
      timeouts: APIClient.Timeouts(request: .seconds(120), upload: .seconds(120)),
      retries: RetryPolicy(attempts: 1))
    let store = FileUndeliveredTokensStore(directory: world.undelivered)
    let tokens = GoogleTokenClient(http: world.client, retries: RetryPolicy(attempts: 1))
    lifecycle = SessionLifecycle(
      api: api, sessions: FileSessionStore(path: world.undelivered + "/session.json"), undelivered: store)
    let authorizer = WebAuthorizer(
      clientID: World.clientID, endpoints: endpoints, receiver: ConsentingBrowser(client: world.client),
      tokens: tokens, sha256: { Digest.sha256($0) })
    connector = GmailConnector(
      authorizer: authorizer, delivery: TokenDelivery(api: api, google: tokens, store: store), store: store)
  }

  func signUp(_ email: String = "user@example.com") async throws -> Session {
    try await lifecycle.signUp(email: email, name: "Ada", password: Secret("correct horse"))
  }

  /// Connects Gmail, and gives what the server answered.
  func connect(in session: Session) async throws -> GmailTokensData {
    guard case .connected(let data) = try await connector.connect(in: session) else {
      throw Surprise("the permission to read mail is missing")
    }
    return data
  }
}

/// Follows Google's automatic consent, and reads the redirect out of its answer.
struct ConsentingBrowser: RedirectReceiver {
  let client: any HTTPClient

  func receive(
    _ begin: @escaping @Sendable (_ redirectURI: String) async throws(AuthorizationError) -> AuthorizationPage
  ) async throws(AuthorizationError) -> String {
    let page = try await begin("http://127.0.0.1:1/callback")
    let answer: HTTPResponse
    do throws(HTTPClientError) {
      answer = try await client.send(HTTPClientRequest(method: .get, url: page.url))
    } catch { throw .network(error) }
    guard let location = answer.fields["Location"] else { throw .cancelled }
    return location
  }
}
