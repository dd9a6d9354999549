import HTTP
import Primitives
import Synchronization

/// An `HTTPClient` that calls responders directly, each under an origin of its own: a network without sockets.
package final class InProcessNetwork: HTTPClient {
  private let responders: [String: any Responder]
  private let cut = Mutex<Set<String>>([])

  /// The responders by their origins, such as `http://google.test`.
  package init(_ responders: [String: any Responder]) { self.responders = responders }

  /// Makes `origin` unreachable, or reachable again.
  package func setReachable(_ isReachable: Bool, _ origin: String) {
    cut.withLock { cut in
      if isReachable { cut.remove(origin) } else { cut.insert(origin) }
    }
  }

  package func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPResponse {
    guard let origin = responders.keys.first(where: { request.url.hasPrefix($0 + "/") }),
      let responder = responders[origin], !cut.withLock({ $0.contains(origin) })
    else { throw .unreachable }
    let target = request.url.dropFirst(origin.count).split(separator: "?", maxSplits: 1)
    var fields = request.fields
    fields["Host"] = String(origin.drop { $0 != "/" }.dropFirst(2))
    let response = await responder.respond(
      to: HTTPRequest(
        method: request.method, path: String(target[0]), query: target.count > 1 ? String(target[1]) : nil,
        fields: fields, body: request.body, peer: "127.0.0.1", id: "test"))
    // The emulator's way to reset a connection.
    if response.status == 0 { throw .connectionLost }
    return response
  }
}
