import AppModel
import SwiftUI

/// Signing in, with the way to signing up.
struct SignInView: View {
  @Bindable var model: SignInModel

  var body: some View {
    NavigationStack {
      Form {
        SignInStatus(state: model.state)
        Section {
          EmailField(email: $model.email)
          SecureField("view.sign_in.password", text: $model.password)
            .textContentType(.password)
            .onSubmit { Task { await model.signIn() } }
        }
        Section {
          Button("view.sign_in.button") { Task { await model.signIn() } }
            .disabled(model.isBusy)
          NavigationLink("view.sign_in.new_here") { SignUpView(model: model) }
            .disabled(model.isBusy)
        }
      }
      .navigationTitle("view.sign_in.title")
    }
  }
}

/// An e-mail address, which no keyboard may improve.
struct EmailField: View {
  @Binding var email: String

  var body: some View {
    TextField("view.sign_in.email", text: $email)
      .textContentType(.username)
      .keyboardType(.emailAddress)
      .textInputAutocapitalization(.never)
      .autocorrectionDisabled()
  }
}

/// What is under way in the forms, or what came of it.
struct SignInStatus: View {
  let state: SignInModel.State

  var body: some View {
    switch state {
    case .ready, .signedIn: EmptyView()
    case .signingIn: Section { ProgressView("view.sign_in.signing_in") }
    case .signingUp: Section { ProgressView("view.sign_up.signing_up") }
    case .failed(let message):
      Section { MessageView(message: message, systemImage: "exclamationmark.triangle") }
    case .sessionEnded(let message): Section { MessageView(message: message, systemImage: "clock") }
    }
  }
}
