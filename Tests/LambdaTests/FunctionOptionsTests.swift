import AWS
import Primitives
import Testing
import paypulse_lambda

@Suite("The function's environment")
struct FunctionOptionsTests {
  @Test("nothing is needed; the tables are the older backend's and ours")
  func defaults() throws {
    let options = try FunctionOptions(environment: [:])
    #expect(options.stores.tables == StoreTables() && options.stores.tokens == .secretsManager)
    #expect(options.jwtSecret == nil && options.googleClientIDs == nil && options.grantsQueueURL == nil)
    #expect(options.limitsRates && !options.hidesUnknownUsers && options.basePath.isEmpty)
  }

  @Test("everything can be said; an empty variable says nothing")
  func everything() throws {
    let options = try FunctionOptions(environment: [
      "USERS_TABLE": "People", "PAYPULSE_TABLE": "Own", "PAYPULSE_VAULT": "dynamodb",
      "PAYPULSE_KMS_KEY": "alias/x",
      "PAYPULSE_GRANTS_QUEUE_URL": "https://sqs.test/q", "PAYPULSE_BASE_PATH": "/api/",
      "PAYPULSE_JWT_SECRET": "a key", "PAYPULSE_GOOGLE_CLIENT_IDS": "one, two",
      "PAYPULSE_GOOGLE_BASE_URL": "http://google.test", "PAYPULSE_TRUSTED_PROXIES": "10.0.0.0/8,::1",
      "PAYPULSE_HIDE_UNKNOWN_USERS": "true", "PAYPULSE_NO_RATE_LIMITS": "1",
    ])
    #expect(options.stores.tables == StoreTables(users: "People", own: "Own"))
    #expect(options.stores.tokens == .dynamoDB && options.stores.kmsKey == "alias/x")
    #expect(options.basePath == "/api" && options.jwtSecret == Secret("a key"))
    #expect(options.googleClientIDs == ["one", "two"] && options.googleBaseURL == "http://google.test")
    #expect(options.trustedProxies.count == 2 && options.hidesUnknownUsers && !options.limitsRates)
    #expect(
      try FunctionOptions(environment: ["USERS_TABLE": "", "PAYPULSE_VAULT": ""]).stores.tables
        == StoreTables())
  }

  @Test(
    "what cannot be is refused by the variable's name, without its value",
    arguments: [
      ["PAYPULSE_VAULT": "floppy"], ["PAYPULSE_BASE_PATH": "api"],
      ["PAYPULSE_GOOGLE_BASE_URL": "ftp://x"], ["PAYPULSE_TRUSTED_PROXIES": "somewhere"],
      ["PAYPULSE_NO_RATE_LIMITS": "maybe"],
    ])
  func refusals(environment: [String: String]) {
    let failure = #expect(throws: LambdaFailure.self) { try FunctionOptions(environment: environment) }
    let message = failure?.message ?? ""
    #expect(message.contains("PAYPULSE_"))
    #expect(!environment.values.contains { message.contains($0) })
  }
}
