import AppModel
import PayPulseKit
import SwiftUI

/// The app: its models over this device's services.
@main
struct PayPulseApp: App {
  @State private var model = AppServices.configured().map { RootModel(services: $0) }

  var body: some Scene {
    WindowGroup {
      if let model {
        RootView(model: model)
          .task { await NetworkReturn.watch { await model.resume() } }
          .onOpenURL { SDKAuthorizer.handle($0) }
      } else {
        MisconfiguredView()
      }
    }
  }
}
