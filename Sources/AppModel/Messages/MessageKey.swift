/// Everything that a model says to the person. The text is the app's, in its string catalogue, under the raw value.
public enum MessageKey: String, CaseIterable, Sendable {
  // MARK: Forms

  /// The e-mail address is none.
  case emailInvalid = "form.email_invalid"
  /// The name is empty.
  case nameMissing = "form.name_missing"
  /// The password is empty.
  case passwordMissing = "form.password_missing"
  /// The password has fewer than 8 bytes.
  case passwordTooShort = "form.password_too_short"
  /// The password has more than 72 bytes.
  case passwordTooLong = "form.password_too_long"

  // MARK: Signing in

  /// Wrong e-mail address or password.
  case wrongPassword = "sign_in.wrong_password"
  /// Nobody has this e-mail address.
  case noSuchAccount = "sign_in.no_such_account"
  /// The e-mail address has an account: sign in.
  case accountExists = "sign_in.account_exists"
  /// The reply to a sign-up was lost; the account may exist: try to sign in.
  case signUpUnconfirmed = "sign_in.sign_up_unconfirmed"
  /// The session is past its time: sign in again.
  case sessionExpired = "sign_in.session_expired"
  /// The server does not take the session: sign in again.
  case sessionInvalid = "sign_in.session_invalid"
  /// The account no longer exists.
  case accountGone = "sign_in.account_gone"

  // MARK: The server

  /// No connection to the server.
  case serverUnreachable = "server.unreachable"
  /// The server did not answer in time, or the connection broke.
  case serverSilent = "server.silent"
  /// The server has a fault, or something that it needs.
  case serverUnavailable = "server.unavailable"
  /// Too many attempts: later.
  case tooManyAttempts = "server.too_many_attempts"
  /// What answers is no PayPulse server.
  case serverUnknown = "server.unknown"
  /// Another refusal: its code, and what the server says of it.
  case serverRefused = "server.refused"

  // MARK: The device

  /// The device cannot keep or read what the app needs.
  case deviceStorageFailed = "device.storage_failed"

  // MARK: Connecting Gmail

  /// Google's page was closed. Google's own error pages end so too: an administrator may have to allow the app.
  case consentCancelled = "gmail.consent_cancelled"
  /// The person declined.
  case consentDeclined = "gmail.consent_declined"
  /// The permission to read mail was left unticked.
  case mailPermissionMissing = "gmail.mail_permission_missing"
  /// What Google gave is too old to be of use: connect again.
  case consentExpired = "gmail.consent_expired"
  /// The account's administrator, or a policy of Google's, refuses the app.
  case blockedByAdministrator = "gmail.blocked_by_administrator"
  /// The account's organisation demands something of this device, such as a passcode.
  case deviceNotCompliant = "gmail.device_not_compliant"
  /// Google refuses the app itself: its code, for whoever set it up.
  case googleClientRefused = "gmail.google_client_refused"
  /// No connection to Google.
  case googleUnreachable = "gmail.google_unreachable"
  /// Google cannot answer at present.
  case googleUnavailable = "gmail.google_unavailable"
  /// Google's answer makes no sense, or belongs to another question: connect again.
  case googleAnswerInvalid = "gmail.google_answer_invalid"
  /// Google refuses with this code.
  case googleRefused = "gmail.google_refused"
  /// Google's sign-in failed on this device: connect again.
  case googleSignInFailed = "gmail.google_sign_in_failed"
  /// The server's operator has not set up Google.
  case serverLacksGmail = "gmail.server_lacks_gmail"
  /// The server expects another Google client than this app's.
  case wrongGoogleClient = "gmail.wrong_google_client"
  /// Google's tokens were refused: connect again.
  case tokensRefused = "gmail.tokens_refused"

  // MARK: A connection

  /// Mail is read for a while only: connect again to make it last.
  case limitedAccess = "gmail.limited_access"
  /// Another mailbox is connected than before: the old address, the new one.
  case switched = "gmail.switched"
  /// Another mailbox is connected than before, whose address is not known: the new one.
  case switchedFromUnknown = "gmail.switched_from_unknown"
  /// A connection for a while came to its end.
  case accessEnded = "gmail.access_ended"
  /// Google no longer lets PayPulse in: access was withdrawn, or the password was changed.
  case grantWithdrawn = "gmail.grant_withdrawn"
  /// The organisation asks for a fresh sign-in from time to time.
  case organisationAsksAgain = "gmail.organisation_asks_again"
  /// The server cannot read what it keeps of the connection.
  case connectionUnreadable = "gmail.connection_unreadable"
  /// The connection no longer works, for a reason that this version does not know.
  case connectionBroken = "gmail.connection_broken"
  /// What to do: connect again.
  case reconnect = "gmail.reconnect"
  /// What to do: connect again, and ask the administrator to except the app.
  case reconnectAndAskAdministrator = "gmail.reconnect_and_ask_administrator"
  /// Gmail is disconnected.
  case disconnected = "gmail.disconnected"
  /// Gmail is disconnected; Google hears of it when it can be reached.
  case disconnectedGoogleLater = "gmail.disconnected_google_later"
  /// This server cannot disconnect; Google's account page can.
  case disconnectUnsupported = "gmail.disconnect_unsupported"

  /// What the arguments of a ``Message`` with this key are, in their order.
  public var argumentNames: [String] {
    switch self {
    case .serverRefused: ["code", "message"]
    case .mailPermissionMissing, .switchedFromUnknown: ["address"]
    case .switched: ["old address", "new address"]
    case .googleClientRefused, .googleRefused: ["code"]
    default: []
    }
  }
}
