import HTTP
import Primitives

/// Reads what a service answered. The error's name decides, never the status alone: services differ in it.
enum ServiceReply {
  /// The result; an empty object for an empty body.
  static func read(_ response: HTTPResponse) throws(AWSError) -> JSONValue {
    let json = response.body.isEmpty ? JSONValue.object([:]) : JSONValue(json: response.body)
    if (200..<300).contains(response.status) {
      guard let json, json.object != nil else { throw .unavailable }
      return json
    }
    throw error(in: response, json ?? .null)
  }

  private static func error(in response: HTTPResponse, _ json: JSONValue) -> AWSError {
    guard let code = code(in: response, json) else {
      return response.status == 429 ? .throttled : .unavailable
    }
    if ErrorCodes.throttling.contains(code) { return .throttled }
    if ErrorCodes.transient.contains(code) { return .unavailable }
    if ErrorCodes.credentials.contains(code) || ErrorCodes.denied.contains(code) {
      return .denied(code: code)
    }
    return response.status >= 500 ? .unavailable : .service(failure(code, json))
  }

  /// From `__type` after its last `#`, else the `X-Amzn-ErrorType` field up to its `:`, else the `Code` element of
  /// an error in XML.
  private static func code(in response: HTTPResponse, _ json: JSONValue) -> String? {
    let name =
      json["__type"]?.string.map { $0.split(separator: "#").last ?? "" }
      ?? response.fields["X-Amzn-ErrorType"].map { $0.prefix { $0 != ":" } }
      ?? element("Code", in: response.body)
    return name.flatMap { name in
      // What is put into errors and log lines must look like a name.
      let isName =
        name.utf8.count <= 128 && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") }
      return isName && !name.isEmpty ? String(name) : nil
    }
  }

  private static func element(_ name: String, in body: [UInt8]) -> Substring? {
    guard body.first == UInt8(ascii: "<") else { return nil }
    let text = String(decoding: body.prefix(4096), as: UTF8.self)
    guard let start = text.firstRange(of: "<\(name)>"), let end = text.firstRange(of: "</\(name)>"),
      start.upperBound <= end.lowerBound
    else { return nil }
    return text[start.upperBound..<end.lowerBound]
  }

  private static func failure(_ code: String, _ json: JSONValue) -> ServiceFailure {
    let reasons = (json["CancellationReasons"]?.array ?? []).map { reason in
      CancellationReason(
        code: reason["Code"]?.string ?? "None", item: reason["Item"].flatMap(DynamoDBItem.init(json:)))
    }
    return ServiceFailure(
      code: code, message: Secret(json["message"]?.string ?? json["Message"]?.string ?? ""),
      cancellationReasons: reasons, item: json["Item"].flatMap(DynamoDBItem.init(json:)))
  }
}
