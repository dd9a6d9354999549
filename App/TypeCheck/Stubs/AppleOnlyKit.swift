// What PayPulseKit has on Apple's systems alone, so that the module built here lacks it. Checked together with the
// app's own files; Tests/AppFilesTests holds the signatures against the kit's.
import HTTP
import PayPulseKit

struct KeychainSessionStore: SessionStore {
  init(service: String = "") {}
  func load() async throws(StorageError) -> Session? { fatalError() }
  func save(_ session: Session) async throws(StorageError) { fatalError() }
  func remove() async throws(StorageError) { fatalError() }
}

struct KeychainUndeliveredTokensStore: UndeliveredTokensStore {
  init(service: String = "") {}
  func load(_ owner: UndeliveredTokens.Owner) async throws(StorageError) -> UndeliveredTokens? {
    fatalError()
  }
  func save(_ tokens: UndeliveredTokens) async throws(StorageError) { fatalError() }
  func remove(_ owner: UndeliveredTokens.Owner) async throws(StorageError) { fatalError() }
  func removeAll() async throws(StorageError) { fatalError() }
}

struct URLSessionHTTPClient: HTTPClient {
  init() {}
  func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPResponse { fatalError() }
}
