/// Shows the person Google's page.
struct Browser: Sendable {
  let terminal: Terminal
  let isUsed: Bool
  let environment: [String: String]

  /// Opens `url` where there is a desktop, and prints it in any case. The address holds `state` and the PKCE
  /// challenge, which are meant to be seen by the browser; the verifier that redeems the code stays here.
  func show(_ url: String) {
    terminal.note("Open this address in your browser and let PayPulse read your mail:\n\n\(url)\n")
    guard isUsed, hasDesktop else { return }
    // Not waited for: some browsers stay in the foreground until they are closed.
    Task {
      if await Process.run(["xdg-open", url]) != 0 {
        terminal.note("The browser could not be opened from here.")
      }
    }
  }

  /// Whether there is a desktop session to open a browser in.
  var hasDesktop: Bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0].map { !$0.isEmpty } ?? false }
  }
}
