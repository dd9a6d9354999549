/// Where the command keeps its files (XDG Base Directory Specification): `$XDG_CONFIG_HOME/paypulse`.
struct ConfigurationDirectory: Sendable {
  /// The directory; made when something is written.
  let path: String
  /// `$XDG_CONFIG_HOME` or its default.
  let root: String
  /// `$XDG_DATA_HOME` or its default.
  let dataHome: String

  /// Nil without a home directory. The specification has relative paths ignored.
  init?(_ environment: [String: String]) {
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    func directory(_ variable: String, _ fallback: String) -> String? {
      environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home.map { $0 + fallback }
    }
    guard let root = directory("XDG_CONFIG_HOME", "/.config") else { return nil }
    self.root = root
    path = root + "/paypulse"
    dataHome = directory("XDG_DATA_HOME", "/.local/share") ?? path
  }

  var session: String { path + "/session.json" }
  var undelivered: String { path + "/undelivered" }
  var lastServer: String { path + "/server" }
  var redirectPipe: String { path + "/redirect" }
}
