import AppModel
import Foundation
import PayPulseKit

extension AppServices {
  /// The services that Info.plist describes, whose values come from Configuration.xcconfig; nil when one is missing or
  /// no server may be reached at that address.
  @MainActor
  static func configured(by bundle: Bundle = .main) -> AppServices? {
    guard let address = bundle.setting("PayPulseServer"), let server = try? ServerAddress(address),
      let authorizer = authorizer(bundle)
    else { return nil }
    let support = URL.applicationSupportDirectory.path(percentEncoded: false)
    return AppServices(
      server: server, http: URLSessionHTTPClient(), authorizer: authorizer, sessions: KeychainSessionStore(),
      undelivered: KeychainUndeliveredTokensStore(), installMarker: InstallMarker(path: support + "/installed"))
  }

  /// Google's SDK; or OAuth in the system's browser session where a base address stands for Google.
  @MainActor
  private static func authorizer(_ bundle: Bundle) -> (any GoogleAuthorizing)? {
    guard let baseURL = bundle.setting("PayPulseGoogleBaseURL") else { return SDKAuthorizer.googleSignIn() }
    guard let clientID = bundle.setting("GIDClientID"),
      let redirectURI = ReversedClientID.redirectURI(of: clientID)
    else { return nil }
    return WebAuthorizer(
      clientID: clientID, endpoints: GoogleEndpoints(baseURL: baseURL),
      receiver: WebAuthenticationReceiver(redirectURI: redirectURI),
      tokens: GoogleTokenClient(http: URLSessionHTTPClient()), sha256: WebAuthorizer.systemSHA256)
  }
}

extension Bundle {
  /// A text of Info.plist; nil when it is missing or empty.
  fileprivate func setting(_ name: String) -> String? {
    (object(forInfoDictionaryKey: name) as? String).flatMap { $0.isEmpty ? nil : $0 }
  }
}
