import AppModel
import SwiftUI

/// Making an account.
struct SignUpView: View {
  @Bindable var model: SignInModel

  var body: some View {
    Form {
      SignInStatus(state: model.state)
      Section {
        TextField("view.sign_up.name", text: $model.name)
          .textContentType(.name)
        EmailField(email: $model.email)
        SecureField("view.sign_up.password", text: $model.password)
          .textContentType(.newPassword)
          .onSubmit { Task { await model.signUp() } }
      } footer: {
        Text("view.sign_up.password_rule")
      }
      Section {
        Button("view.sign_up.button") { Task { await model.signUp() } }
          .disabled(model.isBusy)
      }
    }
    .navigationTitle("view.sign_up.title")
  }
}
