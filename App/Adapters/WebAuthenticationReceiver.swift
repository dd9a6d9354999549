import AuthenticationServices
import Foundation
import PayPulseKit
import UIKit

/// Shows Google's page in the system's web authentication session, and catches the redirect to the app's own scheme.
@MainActor
final class WebAuthenticationReceiver: RedirectReceiver {
  private let redirectURI: String

  /// A receiver for `redirectURI`, whose scheme need not be registered for this.
  init(redirectURI: String) { self.redirectURI = redirectURI }

  func receive(
    _ begin: @escaping @Sendable (_ redirectURI: String) async throws(AuthorizationError) -> AuthorizationPage
  ) async throws(AuthorizationError) -> String {
    let page = try await begin(redirectURI)
    guard let url = URL(string: page.url) else { throw .receiver("the page has no address") }
    guard let window = PresentingWindow.current else { throw .receiver("there is no window to show it in") }
    let anchor = PresentationAnchor(window: window)
    let answer: Result<String, AuthorizationError> = await withCheckedContinuation { continuation in
      // The system calls back on a queue of its own: without `@Sendable` the closure would be the main actor's, and trap.
      let session = ASWebAuthenticationSession(
        url: url, callbackURLScheme: URL(string: redirectURI)?.scheme
      ) { @Sendable address, error in
        continuation.resume(returning: Result(address, error))
      }
      session.presentationContextProvider = anchor
      session.start()
    }
    return try withExtendedLifetime(anchor) { () throws(AuthorizationError) in try answer.get() }
  }
}

/// Tells the session which window it belongs to. The session holds it weakly.
private final class PresentationAnchor: NSObject, ASWebAuthenticationPresentationContextProviding {
  private let window: UIWindow

  init(window: UIWindow) { self.window = window }

  func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { window }
}

extension Result<String, AuthorizationError> {
  /// What the session's callback says.
  fileprivate init(_ address: URL?, _ error: (any Error)?) {
    if let address {
      self = .success(address.absoluteString)
    } else if (error as? ASWebAuthenticationSessionError)?.code == .canceledLogin {
      self = .failure(.cancelled)
    } else {
      self = .failure(.receiver("the web authentication session ended"))
    }
  }
}
