import PayPulseKit

/// Catches a redirect to the client's own scheme, the only one that Google gives an iOS client (RFC 8252 section 7.1):
/// handed over by the desktop, which the scheme is registered with meanwhile, or pasted by the person.
struct SchemeReceiver: RedirectReceiver {
  let clientID: String
  let browser: Browser
  let terminal: Terminal
  let directory: ConfigurationDirectory
  let registersScheme: Bool
  let environment: [String: String]

  func receive(
    _ begin: @escaping @Sendable (String) async throws(AuthorizationError) -> AuthorizationPage
  ) async throws(AuthorizationError) -> String {
    guard let scheme = ReversedClientID.scheme(of: clientID),
      let redirectURI = ReversedClientID.redirectURI(of: clientID)
    else { throw .receiver("The Google client id holds characters that no scheme may.") }
    let pipe: RedirectPipe
    do { pipe = try RedirectPipe(path: directory.redirectPipe) } catch { throw .storage(error) }
    let registration =
      registersScheme && browser.hasDesktop
      ? await SchemeRegistration.make(scheme: scheme, directory: directory) : nil
    let result: Result<String, AuthorizationError>
    do throws(AuthorizationError) {
      let page = try await begin(redirectURI)
      browser.show(page.url)
      terminal.note(
        "When the browser says that it cannot open an address that begins with \(scheme):, copy that whole address, "
          + "paste it here and press Enter.")
      result = .success(
        try await pipe.answer(to: page.attempt, isRegistered: registration != nil, terminal: terminal))
    } catch { result = .failure(error) }
    registration?.remove()
    pipe.close()
    return try result.get()
  }
}
