import HTTP
import Primitives

extension HTTPRequest {
  /// The request that an HTTP API hands over in payload format 2.0.
  ///
  /// Source: API Gateway Developer Guide, "Create AWS Lambda proxy integrations for HTTP APIs". Field names come in
  /// lower case and duplicates joined by commas; cookies come apart; the path holds the stage, unless that is
  /// `$default`, and is unescaped on the way.
  init(lambdaEvent event: JSONValue, basePath: String, id: String) throws(LambdaFailure) {
    guard let context = event["requestContext"], let method = context["http"]?["method"]?.string,
      let path = event["rawPath"]?.string ?? context["http"]?["path"]?.string
    else { throw .unknownEvent("The request has no method or no path.") }
    let query = event["rawQueryString"]?.string ?? ""
    self.init(
      method: HTTPMethod(rawValue: method),
      path: Self.path(path, stage: context["stage"]?.string, basePath: basePath),
      query: query.isEmpty ? nil : query, fields: Self.fields(event), body: try Self.body(event),
      peer: context["http"]?["sourceIp"]?.string, id: context["requestId"]?.string ?? id)
  }

  private static func fields(_ event: JSONValue) -> HTTPFields {
    var lines: [HTTPFields.Field] = []
    for (name, value) in event["headers"]?.object ?? [:] {
      if let value = value.string { lines.append(.init(name: name, value: value)) }
    }
    let cookies = (event["cookies"]?.array ?? []).compactMap(\.string)
    if !cookies.isEmpty { lines.append(.init(name: "cookie", value: cookies.joined(separator: "; "))) }
    return HTTPFields(lines)
  }

  private static func body(_ event: JSONValue) throws(LambdaFailure) -> [UInt8] {
    guard let text = event["body"]?.string else { return [] }
    guard event["isBase64Encoded"]?.bool ?? false else { return Array(text.utf8) }
    guard let body = Base64.decode(text) else { throw .unknownEvent("The request's body is no base64.") }
    return body
  }

  private static func path(_ raw: String, stage: String?, basePath: String) -> String {
    var path = Substring(raw)
    if let stage, stage != "$default" { path = strip("/" + stage, from: path) }
    if !basePath.isEmpty { path = strip(basePath, from: path) }
    return escape(path.hasPrefix("/") ? path : "/" + path)
  }

  /// `path` without `prefix` where that is the first of its segments, or the first few.
  private static func strip(_ prefix: String, from path: Substring) -> Substring {
    guard path.hasPrefix(prefix) else { return path }
    let rest = path.dropFirst(prefix.count)
    return rest.isEmpty || rest.hasPrefix("/") ? rest : path
  }

  /// `path` with what no path can hold escaped (RFC 3986 section 3.3); an escape that is there stays.
  private static func escape(_ path: Substring) -> String {
    let bytes = Array(path.utf8)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    for (place, byte) in bytes.enumerated() {
      let isEscape =
        byte == UInt8(ascii: "%") && place + 2 < bytes.count
        && bytes[(place + 1)...(place + 2)].allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
      if isEscape || isPathCharacter(byte) {
        output.append(byte)
      } else {
        output.append(UInt8(ascii: "%"))
        output += [byte >> 4, byte & 15].map { Array("0123456789ABCDEF".utf8)[Int($0)] }
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func isPathCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "/-._~!$&'()*+,;=:@".utf8.contains(byte)
    }
  }
}

extension HTTPResponse {
  /// The result that an HTTP API makes its reply of, in payload format 2.0.
  package var lambdaResult: [UInt8] {
    var text = JSONText(capacity: body.count + 256)
    text.object { text in
      text.member("statusCode", Int64(status))
      text.key("headers")
      text.object { for (name, value) in joinedFields { $0.member(name, value) } }
      let cookies = fields.values(of: "Set-Cookie")
      if !cookies.isEmpty {
        text.key("cookies")
        text.array { for cookie in cookies { $0.value(cookie) } }
      }
      let plain = String(validating: body, as: UTF8.self)
      text.member("body", plain ?? Base64.encode(body))
      text.member("isBase64Encoded", plain == nil)
    }
    return text.bytes
  }

  /// One value a name: the format has no place for more.
  private var joinedFields: [(String, String)] {
    var joined: [(String, String)] = []
    for field in fields where !field.name.equalsIgnoringASCIICase("Set-Cookie") {
      if let place = joined.firstIndex(where: { $0.0.equalsIgnoringASCIICase(field.name) }) {
        joined[place].1 += ", " + field.value
      } else {
        joined.append((field.name, field.value))
      }
    }
    return joined
  }
}
