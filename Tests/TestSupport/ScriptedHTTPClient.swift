import HTTP
import Synchronization

/// Answers requests from a script, and remembers them.
package final class ScriptedHTTPClient: HTTPClient {
  /// What the script says to one request.
  package typealias Answer = Result<HTTPResponse, HTTPClientError>

  private let script: @Sendable (HTTPClientRequest) -> Answer
  private let sent = Mutex<[HTTPClientRequest]>([])

  /// A client that answers with what `script` makes of the request.
  package init(_ script: @escaping @Sendable (HTTPClientRequest) -> Answer) { self.script = script }

  /// A client that answers every request with this.
  package convenience init(_ status: Int, _ body: String, fields: HTTPFields = [:]) {
    self.init { _ in .success(HTTPResponse(status: status, fields: fields, body: Array(body.utf8))) }
  }

  /// The requests so far.
  package var requests: [HTTPClientRequest] { sent.withLock { $0 } }

  package func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPResponse {
    sent.withLock { $0.append(request) }
    return try script(request).get()
  }
}
