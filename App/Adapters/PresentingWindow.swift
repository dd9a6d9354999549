import UIKit

/// The window that Google's page is shown over.
@MainActor
enum PresentingWindow {
  /// The window of the scene in use; nil while the app is in the background.
  static var current: UIWindow? {
    UIApplication.shared.connectedScenes
      .compactMap { $0 as? UIWindowScene }
      .first { $0.activationState == .foregroundActive }?
      .keyWindow
  }

  /// The view controller on top of it.
  static var topViewController: UIViewController? {
    var top = current?.rootViewController
    while let presented = top?.presentedViewController { top = presented }
    return top
  }
}
