import Primitives

/// The discovery document of the Gmail API (Google API Discovery Service, "RestDescription"), as far as it is
/// served here, with the emulator's own address wherever an address stands.
struct GmailDiscovery {
  let base: String

  var document: JSONValue {
    let root = JSONValue.string(base + "/")
    return [
      "kind": "discovery#restDescription", "discoveryVersion": "v1", "id": "gmail:v1", "name": "gmail",
      "version": "v1", "revision": "20261005", "title": "Gmail API", "canonicalName": "Gmail",
      "description": "The part of the Gmail API that the emulator serves.", "ownerDomain": "google.com",
      "ownerName": "Google", "protocol": "rest", "fullyEncodeReservedExpansion": true,
      "documentationLink": "https://developers.google.com/workspace/gmail/api/",
      "rootUrl": root, "mtlsRootUrl": root, "baseUrl": root, "servicePath": "", "basePath": "",
      "batchPath": "batch", "icons": [:], "parameters": Self.commonParameters,
      "auth": ["oauth2": ["scopes": scopes]],
      "schemas": GmailSchemas.all, "resources": ["users": users],
    ]
  }

  private var scopes: JSONValue {
    let names = Set(GmailMethod.all.flatMap(\.scopes))
    return .object(
      Dictionary(
        uniqueKeysWithValues: names.map {
          ($0, ["description": .string(ScopeCatalogue.meaning(of: $0) ?? $0)])
        }))
  }

  private var users: JSONValue {
    [
      "methods": methods(""),
      "resources": [
        "messages": [
          "methods": methods("messages."),
          "resources": ["attachments": ["methods": methods("messages.attachments.")]],
        ],
        "history": ["methods": methods("history.")],
        "labels": ["methods": methods("labels.")],
      ],
    ]
  }

  /// The methods directly under `resource`.
  private func methods(_ resource: String) -> JSONValue {
    let own = GmailMethod.all.filter {
      $0.name.hasPrefix(resource) && !$0.name.dropFirst(resource.count).contains(".")
    }
    return .object(
      Dictionary(uniqueKeysWithValues: own.map { (String($0.name.dropFirst(resource.count)), describe($0)) }))
  }

  private func describe(_ method: GmailMethod) -> JSONValue {
    let names = method.path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
      String($0.dropFirst().dropLast())
    }
    var parameters: [String: JSONValue] = [:]
    for name in names { parameters[name] = Self.pathParameter(name) }
    for parameter in method.parameters { parameters[parameter.name] = Self.describe(parameter) }
    return [
      "id": .string("gmail.users.\(method.name)"), "path": .string(method.path),
      "flatPath": .string(method.path),
      "httpMethod": "GET", "description": .string(method.meaning), "parameters": .object(parameters),
      "parameterOrder": .array(names.map { .string($0) }), "response": ["$ref": .string(method.response)],
      "scopes": .array(method.scopes.map { .string($0) }),
    ]
  }

  private static func pathParameter(_ name: String) -> JSONValue {
    var members: [String: JSONValue] = ["type": "string", "location": "path", "required": true]
    if name == "userId" {
      members["default"] = "me"
      members["description"] = "The mailbox's address, or `me`."
    }
    return .object(members)
  }

  private static func describe(_ parameter: GmailMethod.Parameter) -> JSONValue {
    var members: [String: JSONValue] = [
      "type": .string(parameter.type), "location": "query", "description": .string(parameter.meaning),
    ]
    members["format"] = parameter.format.map { .string($0) }
    if parameter.isRepeated { members["repeated"] = true }
    if !parameter.choices.isEmpty {
      members["enum"] = .array(parameter.choices.map { .string($0) })
      members["enumDescriptions"] = .array(parameter.choices.map { _ in "" })
    }
    return .object(members)
  }

  private static let commonParameters: JSONValue = [
    "$.xgafv": ["type": "string", "location": "query", "enum": ["1", "2"], "enumDescriptions": ["", ""]],
    "access_token": ["type": "string", "location": "query", "description": "OAuth access token."],
    "alt": [
      "type": "string", "location": "query", "default": "json", "enum": ["json"], "enumDescriptions": [""],
    ],
    "fields": ["type": "string", "location": "query", "description": "Which fields the reply should have."],
    "key": ["type": "string", "location": "query", "description": "API key."],
    "prettyPrint": ["type": "boolean", "location": "query", "default": "true"],
    "quotaUser": ["type": "string", "location": "query", "description": "Whom to count the call for."],
  ]
}
