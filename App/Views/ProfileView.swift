import AppModel
import SwiftUI

/// Who the user is, and the ways to leave.
struct ProfileView: View {
  @Bindable var model: ProfileModel
  @State private var isConfirmingDisconnect = false

  var body: some View {
    Form {
      ProfileSection(state: model.state) { await model.load() }
      Section("view.profile.gmail") {
        ConnectionRow(display: model.gmail.display) { await model.gmail.connect() }
          .disabled(model.gmail.isBusy)
        DisconnectButton(display: model.gmail.display) { isConfirmingDisconnect = true }
          .disabled(model.gmail.isBusy)
        if let notice = model.gmail.notice { MessageView(message: notice, systemImage: "info.circle") }
      }
      ConnectionStateSection(model: model.gmail)
      Section {
        if let problem = model.problem {
          MessageView(message: problem, systemImage: "exclamationmark.triangle")
        }
        WorkRow(work: model.work)
        Button("view.profile.log_out") { Task { await model.logOut() } }
        Button("view.profile.delete", role: .destructive) { model.askToDeleteAccount() }
      }
    }
    .navigationTitle("view.profile.title")
    // In a task of its own: SwiftUI cancels this one when the view changes, as it does when the answer comes.
    .refreshable { await Task { await model.load() }.value }
    .confirmationDialog(
      "view.profile.disconnect_question", isPresented: $isConfirmingDisconnect, titleVisibility: .visible
    ) {
      Button("view.profile.disconnect", role: .destructive) { Task { await model.disconnectGmail() } }
    } message: {
      Text("view.profile.disconnect_consequence")
    }
    .confirmationDialog(
      "view.profile.delete_question", isPresented: $model.isConfirmingDeletion, titleVisibility: .visible
    ) {
      Button("view.profile.delete", role: .destructive) { Task { await model.deleteAccount() } }
      Button("view.profile.keep", role: .cancel) { model.keepAccount() }
    } message: {
      Text("view.profile.delete_consequence")
    }
  }
}

/// Name, address and age of the account.
struct ProfileSection: View {
  let state: ProfileModel.State
  let retry: @MainActor () async -> Void

  var body: some View {
    switch state {
    case .loading: Section { ProgressView("view.profile.loading") }
    case .loaded(let profile):
      Section {
        LabeledContent("view.profile.name", value: profile.name)
        LabeledContent("view.profile.email", value: profile.email)
        if let day = profile.memberSince { LabeledContent("view.profile.member_since") { Text(day) } }
      }
    case .failed(let message, canRetry: true): FailureSection(message: message, retry: retry)
    case .failed(let message, canRetry: false):
      Section { MessageView(message: message, systemImage: "exclamationmark.triangle") }
    }
  }
}

/// Only where there is something to disconnect.
struct DisconnectButton: View {
  let display: GmailConnectionModel.Display
  let ask: @MainActor () -> Void

  var body: some View {
    switch display {
    case .unknown, .connectButton: EmptyView()
    case .connectedAddress: Button("view.profile.disconnect", role: .destructive) { ask() }
    }
  }
}

/// What the person asked for that is under way.
struct WorkRow: View {
  let work: ProfileModel.Work?

  var body: some View {
    switch work {
    case nil: EmptyView()
    case .loggingOut: ProgressView("view.profile.logging_out")
    case .deletingAccount: ProgressView("view.profile.deleting")
    }
  }
}
