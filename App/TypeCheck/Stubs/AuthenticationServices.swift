// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations of AuthenticationServices: only what the adapters use. Written from
// https://developer.apple.com/documentation/authenticationservices/aswebauthenticationsession.
import Foundation
import UIKit

public typealias ASPresentationAnchor = UIWindow

@MainActor public protocol ASWebAuthenticationPresentationContextProviding: AnyObject {
  func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

open class ASWebAuthenticationSession: NSObject {
  public typealias CompletionHandler = (URL?, (any Error)?) -> Void
  public init(url: URL, callbackURLScheme: String?, completionHandler: @escaping CompletionHandler) {}
  @MainActor public weak var presentationContextProvider:
    (any ASWebAuthenticationPresentationContextProviding)?
  public var prefersEphemeralWebBrowserSession: Bool {
    get { fatalError() }
    set { fatalError() }
  }
  @discardableResult public func start() -> Bool { fatalError() }
  public func cancel() { fatalError() }
}

public struct ASWebAuthenticationSessionError: Error {
  public enum Code: Int {
    case canceledLogin = 1
    case presentationContextNotProvided = 2
    case presentationContextInvalid = 3
  }
  public let code: Code
}
