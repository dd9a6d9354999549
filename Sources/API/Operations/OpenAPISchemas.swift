import Primitives
import WireModels

/// The bodies of the API as JSON Schemas (draft 2020-12, as OpenAPI 3.1 has them).
enum OpenAPISchemas {
  /// Every schema by its name.
  static let all: [String: JSONValue] = [
    "SignupRequest": object(
      ["email": text, "name": text, "password": password], required: ["email", "name", "password"]),
    "LoginRequest": object(["email": text, "password": password], required: ["email", "password"]),
    "GmailTokensRequest": object(
      [
        "access_token": text, "refresh_token": nullable("string"),
        "expires_in": ["type": ["integer", "number", "string", "null"], "default": 3600],
        "scope": ["anyOf": [["type": "array", "items": text], nullable("string")]],
        "email": nullable("string"),
      ], required: ["access_token"]),
    "SessionReply": envelope(
      object(
        ["username": text, "access_token": text, "token_type": ["const": "Bearer"]],
        required: ["username", "access_token", "token_type"])),
    "GmailTokensReply": envelope(
      object(
        [
          "google_email": text, "scope": text, "account_switch": flag, "message": text,
          "previous_google_email": text,
        ], required: ["google_email", "scope", "account_switch", "message"])),
    "GmailDisconnectReply": envelope(
      object(["revoked": ["enum": [true, false, "pending"]]], required: ["revoked"])),
    "ProfileReply": envelope(profile),
    "EmptyReply": envelope(["type": "null"]),
    "Error": object(
      [
        "error": object(
          [
            "code": ["type": "string", "examples": .array(ErrorCode.sent.map { .string($0.rawValue) })],
            "message": text, "reason": text, "request_id": text,
          ], required: ["code", "message"])
      ], required: ["error"]),
    "Status": object(["status": text], required: ["status"]),
    "Document": ["type": "object"],
  ]

  private static let text: JSONValue = ["type": "string"]
  private static let flag: JSONValue = ["type": "boolean"]
  private static let moment: JSONValue = ["type": "string", "format": "date-time"]
  private static let password: JSONValue = ["type": "string", "format": "password"]

  private static var profile: JSONValue {
    object(
      [
        "name": text, "email": text, "created_on": moment, "gmail_account_connected": flag,
        "gmail_connection": object(
          [
            "status": ["enum": ["not_connected", "connected", "limited", "blocked", "needs_reconnect"]],
            "reason": text, "google_email": text, "scope": text, "connected_at": moment,
            "last_refreshed_at": moment, "works_until": moment,
          ], required: ["status"]),
      ], required: ["name", "email", "created_on", "gmail_account_connected", "gmail_connection"])
  }

  private static func nullable(_ type: String) -> JSONValue { ["type": [.string(type), "null"]] }

  private static func object(_ properties: [String: JSONValue], required: [String]) -> JSONValue {
    [
      "type": "object", "properties": .object(properties),
      "required": .array(required.map { .string($0) }),
    ]
  }

  private static func envelope(_ data: JSONValue) -> JSONValue {
    object(
      ["message": text, "code": ["type": "integer"], "data": data], required: ["message", "code", "data"])
  }
}
