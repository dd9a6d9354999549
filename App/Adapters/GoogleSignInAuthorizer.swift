import Foundation
import GoogleSignIn
import PayPulseKit
import Primitives

extension SDKAuthorizer {
  /// The authorizer over Google's Sign-In SDK, for the client that `GIDClientID` in Info.plist names.
  @MainActor
  static func googleSignIn() -> SDKAuthorizer { SDKAuthorizer(sdk: GoogleSignInAdapter()) }

  /// Hands an address that opened the app to the SDK, which knows its own.
  @MainActor
  static func handle(_ url: URL) { _ = GIDSignIn.sharedInstance.handle(url) }
}

/// Google's Sign-In SDK as the kit's port: types are translated here, and nothing is decided.
///
/// The SDK's `disconnect` is never called: it revokes the grant that the server reads mail with.
@MainActor
private struct GoogleSignInAdapter: GoogleSignInSDK {
  func currentUser() -> GoogleSignInUser? { GIDSignIn.sharedInstance.currentUser.map(GoogleSignInUser.init) }

  func signIn(
    hint: String?, additionalScopes: [String]
  ) async throws(GoogleSignInFailure) -> GoogleSignInUser {
    guard let presenter = PresentingWindow.topViewController else { throw .noWindow }
    return try await user {
      try await GIDSignIn.sharedInstance.signIn(
        withPresenting: presenter, hint: hint, additionalScopes: additionalScopes
      ).user
    }
  }

  func addScopes(_ scopes: [String]) async throws(GoogleSignInFailure) -> GoogleSignInUser {
    guard let presenter = PresentingWindow.topViewController else { throw .noWindow }
    guard let current = GIDSignIn.sharedInstance.currentUser else { throw .nobody }
    return try await user { try await current.addScopes(scopes, presenting: presenter).user }
  }

  func restorePreviousSignIn() async throws(GoogleSignInFailure) -> GoogleSignInUser {
    try await user { try await GIDSignIn.sharedInstance.restorePreviousSignIn() }
  }

  func refreshTokensIfNeeded() async throws(GoogleSignInFailure) -> GoogleSignInUser {
    guard let current = GIDSignIn.sharedInstance.currentUser else { throw .nobody }
    return try await user { try await current.refreshTokensIfNeeded() }
  }

  func signOut() { GIDSignIn.sharedInstance.signOut() }

  private func user(
    _ call: @MainActor () async throws -> GIDGoogleUser
  ) async throws(GoogleSignInFailure) -> GoogleSignInUser {
    do { return GoogleSignInUser(try await call()) } catch { throw GoogleSignInFailure(error as NSError) }
  }
}

extension GoogleSignInUser {
  fileprivate init(_ user: GIDGoogleUser) {
    self.init(
      userID: user.userID, email: user.profile?.email, accessToken: Secret(user.accessToken.tokenString),
      accessTokenExpiresAt: user.accessToken.expirationDate.map {
        Timestamp(seconds: Int64($0.timeIntervalSince1970))
      },
      refreshToken: Secret(user.refreshToken.tokenString), grantedScopes: user.grantedScopes,
      clientID: user.configuration.clientID)
  }
}

extension GoogleSignInFailure {
  fileprivate static let nobody = Self.sdk(.hasNoAuthInKeychain, detail: "")
  fileprivate static let noWindow = Self.sdk(.unknown, detail: "")

  /// AppAuth, which the SDK is built on, keeps Google's answer in the error's user info.
  fileprivate init(_ error: NSError) {
    let answer = error.userInfo["OIDOAuthErrorResponseErrorKey"] as? [String: Any]
    self.init(
      domain: error.domain, code: error.code, description: error.localizedDescription,
      oauthError: answer?["error"] as? String)
  }
}
