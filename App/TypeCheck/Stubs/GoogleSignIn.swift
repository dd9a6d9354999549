// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations of Google Sign-In SDK 9 as Swift sees its Objective-C headers: only what the adapters use, and without
// behaviour. Written from https://developers.google.com/identity/sign-in/ios/reference.
import Foundation
import UIKit

open class GIDSignIn: NSObject {
  public class var sharedInstance: GIDSignIn { fatalError() }
  public var currentUser: GIDGoogleUser? { fatalError() }
  public var configuration: GIDConfiguration? {
    get { fatalError() }
    set { fatalError() }
  }
  public func handle(_ url: URL) -> Bool { fatalError() }
  public func hasPreviousSignIn() -> Bool { fatalError() }
  public func signOut() { fatalError() }
  @discardableResult public func restorePreviousSignIn() async throws -> GIDGoogleUser { fatalError() }
  public func signIn(
    withPresenting presentingViewController: UIViewController, hint: String?, additionalScopes: [String]?
  ) async throws -> GIDSignInResult { fatalError() }
}

open class GIDConfiguration: NSObject {
  public init(clientID: String) {}
  public var clientID: String { fatalError() }
}

open class GIDSignInResult: NSObject {
  public var user: GIDGoogleUser { fatalError() }
  public var serverAuthCode: String? { fatalError() }
}

open class GIDGoogleUser: NSObject {
  public var userID: String? { fatalError() }
  public var profile: GIDProfileData? { fatalError() }
  public var grantedScopes: [String]? { fatalError() }
  public var configuration: GIDConfiguration { fatalError() }
  public var accessToken: GIDToken { fatalError() }
  public var refreshToken: GIDToken { fatalError() }
  public var idToken: GIDToken? { fatalError() }
  @discardableResult public func refreshTokensIfNeeded() async throws -> GIDGoogleUser { fatalError() }
  public func addScopes(
    _ scopes: [String], presenting presentingViewController: UIViewController
  ) async throws -> GIDSignInResult { fatalError() }
}

open class GIDToken: NSObject {
  public var tokenString: String { fatalError() }
  public var expirationDate: Date? { fatalError() }
}

open class GIDProfileData: NSObject {
  public var email: String { fatalError() }
  public var name: String { fatalError() }
}

public let kGIDSignInErrorDomain = "com.google.GIDSignIn"
