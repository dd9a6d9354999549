import HTTP
import Primitives

/// `POST /_emulator/faults`: the next calls of an endpoint go wrong, or slowly.
struct ControlFaults: Sendable {
  let core: EmulatorCore

  @Sendable func plan(_ request: HTTPRequest) throws(ControlError) -> JSONValue {
    let body = try ControlBody(request)
    let name = try body.required("endpoint")
    guard let endpoint = Endpoint(rawValue: name) else {
      let names = Endpoint.allCases.map(\.rawValue).joined(separator: ", ")
      throw ControlError("`endpoint` must be one of: \(names).")
    }
    let times = try body.whole("times", in: 0...1_000_000) ?? 1
    let fault = Fault(
      response: try response(body), delayMilliseconds: try body.whole("delay_ms", in: 0...3_600_000) ?? 0)
    core.withState { state, _ in
      if times == 0 {
        state.faults.clear(endpoint)
      } else {
        state.faults.add(fault, to: endpoint, times: Int(times))
      }
    }
    return ["ok": true]
  }

  private func response(_ body: ControlBody) throws(ControlError) -> HTTPResponse? {
    guard let status = try body.whole("status", in: 0...599) else { return nil }
    guard status == 0 || status >= 200 else {
      throw ControlError("`status` must be 0 (reset the connection) or from 200 to 599.")
    }
    let text = try body.text("body") ?? ""
    var fields = HTTPFields()
    for (name, value) in try body.dictionary("headers")?.sorted(by: { $0.key < $1.key }) ?? [] {
      guard Self.isToken(name), value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw ControlError("`headers` holds a name or value that HTTP does not allow.")
      }
      fields.append(name, value)
    }
    if fields["Content-Type"] == nil, !text.isEmpty { fields["Content-Type"] = Self.contentType(of: text) }
    return HTTPResponse(status: Int(status), fields: fields, body: Array(text.utf8))
  }

  private static func contentType(of text: String) -> String {
    switch text.first {
    case "{", "[": "application/json; charset=utf-8"
    case "<": "text/html; charset=utf-8"
    default: "text/plain; charset=utf-8"
    }
  }

  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        $0 > 0x20 && $0 < 0x7F && !Array("\"(),/:;<=>?@[\\]{}".utf8).contains($0)
      }
  }
}
