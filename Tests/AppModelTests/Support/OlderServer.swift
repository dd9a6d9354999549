import FoundationEssentials
import HTTP
import Primitives

/// The present server made to answer as the existing Python backend does: no `gmail_connection`, no
/// `previous_google_email`, no `code`, dates without a time, and a gateway's answer on routes that it lacks.
struct OlderServer: Responder {
  let server: any Responder

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    guard request.path != "/v1/auth/gmail-tokens" else {
      return .json(404, Array(#"{"message":"Not Found"}"#.utf8))
    }
    var response = await server.respond(to: request)
    guard var reply = try? JSONDecoder().decode(JSONValue.self, from: Data(response.body)).object,
      var data = reply["data"]?.object
    else { return response }
    data["gmail_connection"] = nil
    data["previous_google_email"] = nil
    if let date = data["created_on"]?.string { data["created_on"] = .string(String(date.prefix(10))) }
    data["something_else"] = [1, "two"]
    reply["data"] = .object(data)
    reply["code"] = nil
    response.body = JSONValue.object(reply).serialized
    return response
  }
}
