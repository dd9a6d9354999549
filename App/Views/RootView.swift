import AppModel
import SwiftUI

/// What is on the screen: the forms for signing in, or what belongs to who is signed in.
struct RootView: View {
  let model: RootModel
  @Environment(\.scenePhase) private var scenePhase

  var body: some View {
    Group {
      switch model.phase {
      case .starting: ProgressView("view.root.starting")
      case .failed(let message):
        Form { FailureSection(message: message) { await model.start() } }
      case .signedOut: SignInView(model: model.signIn)
      case .signedIn(let profile): ConnectView(model: profile.gmail, profile: profile)
      }
    }
    .task { await model.start() }
    .onChange(of: scenePhase) { _, phase in
      switch phase {
      case .active: Task { await model.resume() }
      default: break
      }
    }
  }
}

/// Shown in place of the app when Configuration.xcconfig lacks something.
struct MisconfiguredView: View {
  var body: some View {
    ContentUnavailableView(
      "view.misconfigured.title", systemImage: "wrench.and.screwdriver",
      description: Text("view.misconfigured.description"))
  }
}
