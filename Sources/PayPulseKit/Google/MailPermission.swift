/// The scopes that PayPulse asks Google for, and which of them it cannot do without.
public enum MailPermission {
  /// Reading mail: a restricted scope, which the person may leave unticked.
  public static let readMail = "https://www.googleapis.com/auth/gmail.readonly"
  /// Who the account belongs to.
  public static let identity = ["openid", "email", "profile"]
  /// What is asked for at first.
  public static let asked = identity + [readMail]
  /// What is asked for again when only the mail permission is missing. The identity stays in it, since Google's
  /// installed applications get no incremental grant: the answer holds what is asked for here.
  public static let askedAgain = ["openid", "email", readMail]

  /// Whether `scopes` allow reading mail: by the scope asked for, or by a wider one granted earlier.
  public static func isGranted(in scopes: some Sequence<String>) -> Bool {
    scopes.contains { $0 == readMail || $0 == modifyMail || $0 == allMail }
  }

  private static let modifyMail = "https://www.googleapis.com/auth/gmail.modify"
  private static let allMail = "https://mail.google.com/"
}
