import Primitives
import WireModels

/// The description of the API in OpenAPI 3.1, made from the table of routes.
enum OpenAPIDocument {
  /// The document as JSON.
  static let json: [UInt8] = document.serialized

  private static var document: JSONValue {
    [
      "openapi": "3.1.0",
      "info": [
        "title": "PayPulse", "version": "1.0.0",
        "description": "Connects a person's Gmail and keeps the connection alive.",
      ],
      "paths": .object(paths),
      "components": [
        "securitySchemes": ["session": ["type": "http", "scheme": "bearer", "bearerFormat": "JWT"]],
        "schemas": .object(OpenAPISchemas.all),
      ],
    ]
  }

  private static var paths: [String: JSONValue] {
    Dictionary(grouping: APIRoute.allCases, by: \.path).mapValues { routes in
      .object(
        Dictionary(uniqueKeysWithValues: routes.map { ($0.method.lowercased(), operation($0)) }))
    }
  }

  private static func operation(_ route: APIRoute) -> JSONValue {
    var members: [String: JSONValue] = [
      "operationId": .string(route.rawValue), "summary": .string(route.summary),
      "responses": .object(responses(of: route)),
      "security": route.needsSession ? [["session": []]] : [],
    ]
    members["requestBody"] = requestBody(of: route)
    return .object(members)
  }

  private static func requestBody(of route: APIRoute) -> JSONValue? {
    switch route {
    case .signup: body(["application/json": "SignupRequest"])
    case .login: body(["application/json": "LoginRequest"])
    case .storeGmailTokens, .storeGmailTokensAlias:
      body([
        "application/json": "GmailTokensRequest", "application/x-www-form-urlencoded": "GmailTokensRequest",
      ])
    case .deleteGmailTokens, .getProfile, .deleteAccount, .health, .readiness, .openAPI: nil
    }
  }

  private static func body(_ types: [String: String]) -> JSONValue {
    ["required": true, "content": .object(types.mapValues { ["schema": reference($0)] })]
  }

  private static func reference(_ schema: String) -> JSONValue {
    ["$ref": .string("#/components/schemas/" + schema)]
  }

  private static func responses(of route: APIRoute) -> [String: JSONValue] {
    let (success, schema, errors): (Int, String, [Int]) =
      switch route {
      case .signup: (201, "SessionReply", [400, 403, 502])
      case .login: (200, "SessionReply", [400, 401, 404, 429, 502])
      case .storeGmailTokens, .storeGmailTokensAlias: (201, "GmailTokensReply", [400, 401, 429, 502, 503])
      case .deleteGmailTokens: (200, "GmailDisconnectReply", [401, 502])
      case .getProfile: (200, "ProfileReply", [401, 404, 502])
      case .deleteAccount: (200, "EmptyReply", [401, 404, 502])
      case .health: (200, "Status", [])
      case .readiness: (200, "Status", [503])
      case .openAPI: (200, "Document", [])
      }
    var responses = [String(success): response("Done", schema)]
    for status in errors + [413, 415, 500] { responses[String(status)] = response("Refused", "Error") }
    return responses
  }

  private static func response(_ description: String, _ schema: String) -> JSONValue {
    [
      "description": .string(description),
      "content": ["application/json": ["schema": reference(schema)]],
    ]
  }
}
