import Primitives

/// What the operator asks for, by invoking the function directly (`aws lambda invoke`), which IAM allows or not:
/// `{"operator":"check-connection","email":"ada@example.org"}`.
package enum OperatorEvent: Sendable, Hashable {
  /// The status of all connections.
  case connections
  /// Puts back what is kept aside for that address.
  case restore(email: String)
  /// Gives that address a new password.
  case setPassword(email: String, password: Secret)
  /// Asks for a valid access token, so often at once, and reads the mailbox with it.
  case checkConnection(email: String, concurrent: Int, showsLatest: Bool)

  init(_ command: JSONValue, _ event: JSONValue) throws(LambdaFailure) {
    switch command.string {
    case "connections": self = .connections
    case "restore": self = .restore(email: try Self.email(event))
    case "set-password":
      guard let password = event["password"]?.string else {
        throw .unknownEvent("The command needs a 'password'.")
      }
      self = .setPassword(email: try Self.email(event), password: Secret(password))
    case "check-connection":
      let concurrent = event["concurrent"]?.integer ?? 1
      guard (1...1000).contains(concurrent) else {
        throw .unknownEvent("'concurrent' is a number from 1 to 1000.")
      }
      self = .checkConnection(
        email: try Self.email(event), concurrent: Int(concurrent),
        showsLatest: event["show_latest"]?.bool ?? false)
    default:
      throw .unknownEvent(
        "The operator's commands are connections, restore, set-password and check-connection.")
    }
  }

  private static func email(_ event: JSONValue) throws(LambdaFailure) -> String {
    guard let email = event["email"]?.string, !email.isEmpty else {
      throw .unknownEvent("The command needs an 'email'.")
    }
    return email
  }
}
