import HTTP
import Testing

/// Gives out the replies it was made with, in order, and fails loudly when asked for more.
actor ScriptedHTTP: HTTPClient {
  enum Step: Sendable {
    case reply(Int, String = "", HTTPFields = [:])
    case failure(HTTPClientError)
  }

  private var steps: [Step]
  private(set) var requests: [HTTPClientRequest] = []

  init(_ steps: [Step]) { self.steps = steps }

  func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPResponse {
    requests.append(request)
    guard !steps.isEmpty else {
      Issue.record("unplanned request: \(request.method) \(request.url)")
      throw .invalidURL
    }
    switch steps.removeFirst() {
    case .reply(let status, let body, let fields):
      return HTTPResponse(status: status, fields: fields, body: Array(body.utf8))
    case .failure(let error): throw error
    }
  }

  var sent: [String] { requests.map { "\($0.method) \($0.url)" } }
  var isDone: Bool { steps.isEmpty }
}

extension HTTPClientRequest {
  var text: String { String(decoding: body, as: UTF8.self) }
  var form: [String: String] {
    Dictionary(
      (FormCoding.decode(text) ?? []).map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
  }
}
