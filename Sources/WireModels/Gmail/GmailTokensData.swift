import Primitives

/// `data` of `POST /v1/auth/gmail-tokens`.
public struct GmailTokensData: Codable, Sendable, Hashable {
  /// The address of the Google account, by Google's word.
  public var googleEmail: String
  /// The granted scopes, separated by spaces.
  public var scope: String
  /// Whether another Google account was connected before.
  public var accountSwitch: Bool
  /// What happened, for people.
  public var message: String
  /// The address of the account that was connected before; only with a switch.
  public var previousGoogleEmail: String?

  private enum CodingKeys: String, CodingKey {
    case scope, message
    case googleEmail = "google_email"
    case accountSwitch = "account_switch"
    case previousGoogleEmail = "previous_google_email"
  }

  /// The result of a connect.
  public init(
    googleEmail: String, scope: String, accountSwitch: Bool, message: String,
    previousGoogleEmail: String? = nil
  ) {
    self.googleEmail = googleEmail
    self.scope = scope
    self.accountSwitch = accountSwitch
    self.message = message
    self.previousGoogleEmail = previousGoogleEmail
  }
}

extension GmailTokensData: JSONWritable {
  /// Writes the members that are known.
  public func write(to text: inout JSONText) {
    text.object {
      $0.member(CodingKeys.googleEmail.rawValue, googleEmail)
      $0.member(CodingKeys.scope.rawValue, scope)
      $0.member(CodingKeys.accountSwitch.rawValue, accountSwitch)
      $0.member(CodingKeys.message.rawValue, message)
      $0.member(CodingKeys.previousGoogleEmail.rawValue, previousGoogleEmail)
    }
  }
}
