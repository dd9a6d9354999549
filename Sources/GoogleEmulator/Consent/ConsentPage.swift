/// The pages of the authorization endpoint: plain HTML and forms, no script, nothing fetched.
enum ConsentPage {
  /// Step 1: which account.
  static func accounts(_ accounts: [Account], clientID: String, transaction: String, complaint: String?)
    -> String
  {
    let rows = accounts.enumerated().map { number, account in
      """
      <li><button type="submit" class="account" id="account-\(number)" name="account" \
      value="\(escape(account.email))" data-email="\(escape(account.email))">
      \(avatar(account))<span><b>\(escape(account.name))</b><small>\(escape(account.email))</small></span>
      </button></li>
      """
    }
    let alert = complaint.map { "<p class=\"alert\" role=\"alert\" id=\"complaint\">\(escape($0))</p>" } ?? ""
    return document(
      title: "Choose an account",
      """
      <h1>Choose an account</h1>
      <p class="lead">to continue to <b>\(app(clientID))</b></p>\(alert)
      <form method="post" action="/signin/oauth/account" id="accounts">
      <input type="hidden" name="transaction" value="\(escape(transaction))">
      <ul class="accounts">\(rows.joined())</ul>
      </form>
      <form method="post" action="/signin/oauth/account" id="other-account">
      <input type="hidden" name="transaction" value="\(escape(transaction))">
      <label for="identifier">Use another account</label>
      <input type="email" id="identifier" name="identifier" autocomplete="username" placeholder="Email">
      <div class="actions">
      <button type="submit" class="quiet" id="cancel" form="leave" name="action" value="cancel">Cancel</button>
      <button type="submit" class="main" id="next" name="action" value="next">Next</button>
      </div>
      </form>
      \(leave(to: "/signin/oauth/account", transaction))
      """)
  }

  /// Step 2: what the app may do.
  static func consent(
    _ account: Account, clientID: String, boxes: [(scope: String, isTicked: Bool)], transaction: String
  ) -> String {
    let rows = boxes.enumerated().map { number, box in
      """
      <li><input type="checkbox" id="scope-\(number)" name="scope" value="\(escape(box.scope))"\
      \(box.isTicked ? " checked" : "")>
      <label for="scope-\(number)">\(escape(ScopeCatalogue.meaning(of: box.scope) ?? box.scope))\
      <small>\(escape(box.scope))</small></label></li>
      """
    }
    let question =
      boxes.isEmpty
      ? "<p>It will see your name, email address and profile picture.</p>"
      : "<fieldset><legend>Select what <b>\(app(clientID))</b> can access</legend><ul class=\"scopes\">\(rows.joined())</ul></fieldset>"
    return document(
      title: "Allow access",
      """
      <h1><b>\(app(clientID))</b> wants access to your Google Account</h1>
      <form method="post" action="/signin/oauth/consent" id="consent">
      <input type="hidden" name="transaction" value="\(escape(transaction))">
      <div class="who">\(avatar(account))<span id="account-email">\(escape(account.email))</span>
      <button type="submit" class="quiet" id="use-another-account" form="leave" name="action" value="switch">\
      Use another account</button></div>
      \(question)
      <p class="lead">You can take this back at any time in your account’s settings.</p>
      <div class="actions">
      <button type="submit" class="quiet" id="cancel" form="leave" name="action" value="cancel">Cancel</button>
      <button type="submit" class="main" id="allow" name="action" value="allow">Allow</button>
      </div>
      </form>
      \(leave(to: "/signin/oauth/consent", transaction))
      """)
  }

  /// The page that stands in place of a redirect.
  static func error(_ error: ConsentError) -> String {
    document(
      title: "Access blocked",
      """
      <h1>Access blocked: authorization error</h1>
      <p id="error-message">\(escape(error.message))</p>
      <p class="lead">If you are a developer of this app, see the error’s details.</p>
      <p><code id="error-code">Error \(error.status): \(escape(error.code))</code></p>
      """)
  }

  // MARK: - Pieces

  /// `text` so that it is only text, in an element or a quoted attribute.
  static func escape(_ text: String) -> String {
    var output = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "\"": output += "&quot;"
      case "'": output += "&#39;"
      default: output.unicodeScalars.append(character)
      }
    }
    return output
  }

  /// A form of its own for the ways out, so that the Enter key never takes one of them.
  private static func leave(to address: String, _ transaction: String) -> String {
    """
    <form method="post" action="\(address)" id="leave">\
    <input type="hidden" name="transaction" value="\(escape(transaction))"></form>
    """
  }

  private static func app(_ clientID: String) -> String {
    "<span class=\"app\">\(escape(String(clientID.prefix { $0 != "." })))</span>"
  }

  private static func avatar(_ account: Account) -> String {
    "<i class=\"avatar\" aria-hidden=\"true\">\(escape(String(account.name.prefix(1)).uppercased()))</i>"
  }

  private static func document(title: String, _ content: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(title) – Google emulator</title><style>\(ConsentStyle.sheet)</style></head>
    <body><main><p class="brand">Sign in with Google <em>emulator</em></p>
    \(content)</main>
    <footer>This is an emulator for tests. It knows no real account and sends nothing to Google.</footer></body></html>
    """
  }
}
