/// The scopes that exist here, with the words the consent page has for them (Google, "OAuth 2.0 Scopes for
/// Google APIs"). Anything else is `invalid_scope`.
enum ScopeCatalogue {
  static let openID = "openid"
  static let email = prefix + "userinfo.email"
  static let profile = prefix + "userinfo.profile"
  static let fullMail = "https://mail.google.com/"
  static let gmailReadonly = prefix + "gmail.readonly"
  static let gmailModify = prefix + "gmail.modify"
  static let gmailMetadata = prefix + "gmail.metadata"
  static let gmailCompose = prefix + "gmail.compose"
  static let gmailLabels = prefix + "gmail.labels"

  /// Scopes that say who someone is. They have no box on the consent page and never expire in testing mode.
  static let identity: Set<String> = [openID, email, profile]

  /// What the consent page says a scope allows; nil for an unknown one.
  static func meaning(of scope: String) -> String? { meanings[scope] }

  /// The long form of `email` and `profile`; every other scope as it is.
  static func canonical(_ scope: String) -> String {
    switch scope {
    case "email": email
    case "profile": profile
    default: scope
    }
  }

  /// Whether `scope` has the form of a Google API's scope, known here or not.
  static func isGoogles(_ scope: String) -> Bool { scope.hasPrefix(prefix) }

  private static let prefix = "https://www.googleapis.com/auth/"

  private static let meanings: [String: String] = [
    openID: "Associate you with your personal info on Google",
    email: "See your primary Google Account email address",
    profile: "See your personal info, including any you’ve made publicly available",
    fullMail: "Read, compose, send, and permanently delete all your email from Gmail",
    gmailReadonly: "View your email messages and settings",
    gmailModify: "Read, compose, and send emails from your Gmail account",
    gmailMetadata: "View your email message metadata such as labels and headers, but not the email body",
    gmailCompose: "Manage drafts and send emails",
    gmailLabels: "See and edit your email labels",
    prefix + "gmail.send": "Send email on your behalf",
    prefix + "gmail.insert": "Add emails into your Gmail mailbox",
    prefix + "gmail.settings.basic": "See, edit, create, or change your email settings and filters in Gmail",
    prefix + "gmail.settings.sharing":
      "Manage your sensitive mail settings, including who can manage your mail",
    prefix + "calendar": "See, edit, share, and permanently delete all the calendars you can access",
    prefix + "calendar.readonly": "See and download any calendar you can access using your Google Calendar",
    prefix + "contacts.readonly": "See and download your contacts",
    prefix + "drive": "See, edit, create, and delete all of your Google Drive files",
    prefix + "drive.file":
      "See, edit, create, and delete only the specific Google Drive files you use with this app",
    prefix + "drive.readonly": "See and download all your Google Drive files",
    prefix + "spreadsheets": "See, edit, create, and delete all your Google Sheets spreadsheets",
    prefix + "spreadsheets.readonly": "See all your Google Sheets spreadsheets",
    prefix + "tasks": "Create, edit, organize, and delete all your tasks",
    prefix + "user.birthday.read": "See and download your exact date of birth",
  ]
}
