import HTTP
import PayPulseKit
import Primitives
import WireModels

/// The first example of the kit's documentation. `Tests/AppFilesTests` holds what DocC shows against these lines.
struct FirstExample {
  let server, clientID, email, folder: String
  let password: Secret
  let endpoints: GoogleEndpoints
  let http: any HTTPClient
  let receiver: any RedirectReceiver
  let sha256: PayPulseKit.SHA256

  func run() async throws -> String {
    // snippet.begin
    let api = APIClient(server: try ServerAddress(server), http: http)
    let google = GoogleTokenClient(http: http)
    let authorizer = WebAuthorizer(
      clientID: clientID, endpoints: endpoints, receiver: receiver, tokens: google, sha256: sha256)
    let store = FileUndeliveredTokensStore(directory: folder)
    let delivery = TokenDelivery(api: api, google: google, store: store)
    let gmail = GmailConnector(authorizer: authorizer, delivery: delivery, store: store)
    let session = try await api.signIn(email: email, password: password)
    let outcome = try await gmail.connect(in: session)
    guard case .connected(let connection) = outcome else { return "Please tick the box for reading mail." }
    // snippet.end
    return "Connected: \(connection.googleEmail)"
  }
}
