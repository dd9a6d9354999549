// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations of UIKit: only what the adapters use. Written from https://developer.apple.com/documentation/uikit.
import Foundation

@MainActor open class UIResponder: NSObject {}
@MainActor open class UIViewController: UIResponder {
  public var presentedViewController: UIViewController? { fatalError() }
}
@MainActor open class UIView: UIResponder {}
@MainActor open class UIWindow: UIView {
  public var rootViewController: UIViewController? {
    get { fatalError() }
    set { fatalError() }
  }
  public init(windowScene: UIWindowScene) {}
}
@MainActor open class UIScene: UIResponder {
  public enum ActivationState: Int { case unattached = -1, foregroundActive, foregroundInactive, background }
  public var activationState: ActivationState { fatalError() }
}
@MainActor open class UIWindowScene: UIScene {
  public var keyWindow: UIWindow? { fatalError() }
}
@MainActor open class UIApplication: UIResponder {
  public class var shared: UIApplication { fatalError() }
  public var connectedScenes: Set<UIScene> { fatalError() }
}

public struct UIAccessibility {
  public struct Notification { public static var announcement: Notification { fatalError() } }
  @MainActor public static func post(notification: Notification, argument: Any?) { fatalError() }
}
