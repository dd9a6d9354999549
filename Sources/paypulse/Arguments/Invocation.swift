/// What the command line asks for.
struct Invocation: Equatable {
  var server: String?
  var isJSON = false
  var allowsPlainHTTP = false
  var command: Command

  enum Command: Equatable {
    case help
    case signUp(email: String?, name: String?)
    case signIn(email: String?)
    case signOut(forgetting: Bool)
    case connectGmail(ConnectOptions)
    case disconnectGmail
    case profile
    /// What the desktop calls with the redirect that the browser could not open itself.
    case deliverRedirect(String)
  }
}

/// How to connect Gmail.
struct ConnectOptions: Equatable {
  /// Where Google's answer is caught.
  enum Redirect: String {
    case loopback
    case scheme
  }

  var clientID: String
  var googleBaseURL: String?
  /// Nil: a loopback address with a base URL, the custom scheme at the real Google.
  var redirect: Redirect?
  var isAutomatic = false
  var opensBrowser = true
}

/// A command line that cannot be carried out; the text says what to write instead.
struct UsageError: Error, Equatable {
  let message: String
  init(_ message: String) { self.message = message }
}
