import AppModel
import Foundation
import PayPulseKit

extension AppServices {
  /// The services that Info.plist describes, whose values come from Configuration.xcconfig; nil when one is missing or
  /// no server may be reached at that address.
  @MainActor
  static func configured(by bundle: Bundle = .main) -> AppServices? {
    let http = URLSessionHTTPClient()
    let google = GoogleTokenClient(http: http)
    guard let address = bundle.setting("PayPulseServer"), let server = try? ServerAddress(address),
      let authorizer = authorizer(bundle, google),
      let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
    else { return nil }
    return AppServices(
      api: APIClient(server: server, http: http), google: google, authorizer: authorizer,
      sessions: KeychainSessionStore(), undelivered: KeychainUndeliveredTokensStore(),
      installMarker: InstallMarker(path: support.appending(path: "installed").path))
  }

  /// Google's SDK; or OAuth in the system's browser session where a base address stands for Google.
  @MainActor
  private static func authorizer(_ bundle: Bundle, _ google: GoogleTokenClient) -> (any GoogleAuthorizing)? {
    guard let baseURL = bundle.setting("PayPulseGoogleBaseURL") else { return SDKAuthorizer.googleSignIn() }
    guard let clientID = bundle.setting("GIDClientID"),
      let redirectURI = ReversedClientID.redirectURI(of: clientID)
    else { return nil }
    return WebAuthorizer(
      clientID: clientID, endpoints: GoogleEndpoints(baseURL: baseURL),
      receiver: WebAuthenticationReceiver(redirectURI: redirectURI), tokens: google,
      sha256: WebAuthorizer.systemSHA256)
  }
}

extension Bundle {
  /// A text of Info.plist; nil when it is missing or empty.
  fileprivate func setting(_ name: String) -> String? {
    (object(forInfoDictionaryKey: name) as? String).flatMap { $0.isEmpty ? nil : $0 }
  }
}
