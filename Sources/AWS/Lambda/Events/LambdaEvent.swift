import HTTP
import Primitives

/// What can have happened, by the shape of the event.
package enum LambdaEvent: Sendable {
  /// A request through an HTTP API.
  case request(HTTPRequest)
  /// A schedule of EventBridge has come round.
  case schedule
  /// Messages of a queue.
  case messages([QueueMessage])
  /// The operator asks for something.
  case command(OperatorEvent)

  /// Reads `event`. A request's path loses its stage, and `basePath` where it begins with that; `id` names a
  /// request that has no id of its own.
  package init(_ event: [UInt8], basePath: String = "", id: String) throws(LambdaFailure) {
    guard let event = JSONValue(json: event) else { throw .unknownEvent("The event is not JSON.") }
    guard let members = event.object else { throw .unknownEvent("The event is not a JSON object.") }
    if let version = members["version"]?.string, members["requestContext"] != nil {
      guard version == "2.0" else {
        throw .unknownEvent("The HTTP API sends payload format \(version.prefix(8)); set it to 2.0.")
      }
      self = .request(try HTTPRequest(lambdaEvent: event, basePath: basePath, id: id))
    } else if members["httpMethod"] != nil {
      throw .unknownEvent("The API sends payload format 1.0; set it to 2.0.")
    } else if let records = members["Records"]?.array {
      self = try Self.records(records)
    } else if members["source"]?.string == "aws.events" {
      self = .schedule
    } else if let command = members["operator"] {
      self = .command(try OperatorEvent(command, event))
    } else {
      throw .unknownEvent("The function knows no event with the members \(Self.names(members)).")
    }
  }

  /// Records come from one source each time. Those of S3 and of DynamoDB streams have a place here when something
  /// answers them.
  private static func records(_ records: [JSONValue]) throws(LambdaFailure) -> Self {
    let sources = Set(records.map { $0["eventSource"]?.string ?? "nowhere" })
    guard sources == ["aws:sqs"] else {
      throw .unknownEvent(
        "The function takes no records of \(sources.sorted().joined(separator: ", ").prefix(80)).")
    }
    return .messages(try QueueMessage.read(records))
  }

  /// Member names for an error: few, short and plain, since nobody knows what they are.
  private static func names(_ members: [String: JSONValue]) -> String {
    let names = members.keys.sorted().prefix(8).map { name in
      String(name.unicodeScalars.prefix(24).map { $0.value > 0x20 && $0.value < 0x7F ? Character($0) : "?" })
    }
    return names.isEmpty ? "(none)" : names.joined(separator: ", ")
  }
}
