import AppModel
import SwiftUI

/// *Connect Gmail*, or the connected mailbox; and what there is to say of it.
struct ConnectView: View {
  let model: GmailConnectionModel
  let profile: ProfileModel

  var body: some View {
    NavigationStack {
      Form {
        Section {
          ConnectionRow(display: model.display) { await model.connect() }
            .disabled(model.isBusy)
        } footer: {
          Text("view.connect.explanation")
        }
        ConnectionStateSection(model: model)
        if let notice = model.notice {
          Section { MessageView(message: notice, systemImage: "info.circle") }
        }
      }
      .navigationTitle("view.connect.title")
      // In a task of its own: SwiftUI cancels this one when the view changes, as it does when the answer comes.
      .refreshable { await Task { await profile.load() }.value }
      .toolbar {
        NavigationLink {
          ProfileView(model: profile)
        } label: {
          Label("view.profile.title", systemImage: "person.crop.circle")
        }
      }
    }
  }
}

/// The button or the address, by the server's word alone.
struct ConnectionRow: View {
  let display: GmailConnectionModel.Display
  let connect: @MainActor () async -> Void

  var body: some View {
    switch display {
    case .unknown: ProgressView("view.connect.asking")
    case .connectButton:
      Button("view.connect.button", systemImage: "envelope") { Task { await connect() } }
        .buttonStyle(.borderedProminent)
        .accessibilityHint("view.connect.button_hint")
    case .connectedAddress(let address): ConnectedAddress(address: address)
    }
  }
}

/// The connected mailbox; an older server does not tell its address.
struct ConnectedAddress: View {
  let address: String?

  var body: some View {
    if let address {
      Label {
        Text(verbatim: address).textSelection(.enabled)
      } icon: {
        Image(systemName: "checkmark.circle").accessibilityLabel("view.connect.connected")
      }
      .accessibilityElement(children: .combine)
    } else {
      Label("view.connect.connected", systemImage: "checkmark.circle")
    }
  }
}

/// What the connection's state adds to the row above it.
struct ConnectionStateSection: View {
  let model: GmailConnectionModel

  var body: some View {
    switch model.state {
    case .unknown, .notConnected, .connected: EmptyView()
    case .connecting: Section { ProgressView("view.connect.connecting") }
    case .limited(_, let until):
      Section {
        MessageView(message: Message(.limitedAccess), systemImage: "hourglass")
        if let until { LabeledContent("view.connect.works_until") { Text(until) } }
        ReconnectButton(model: model)
      }
    case .blocked(_, let why): Section { MessageView(message: why, systemImage: "hand.raised") }
    case .needsReconnect(let address, let why, let whatToDo):
      Section {
        if let address { LabeledContent("view.connect.was") { Text(verbatim: address) } }
        MessageView(message: why, systemImage: "exclamationmark.triangle")
        Text(whatToDo)
      }
    case .switched(_, _, let warning):
      Section {
        MessageView(message: warning, systemImage: "arrow.left.arrow.right")
        Button("view.connect.understood") { model.acknowledgeSwitch() }
      }
    case .delivering(let problem): DeliverySection(problem: problem) { await model.retry() }
    case .failed(let message, canRetry: true): FailureSection(message: message) { await model.retry() }
    case .failed(let message, canRetry: false):
      Section { MessageView(message: message, systemImage: "exclamationmark.triangle") }
    }
  }
}

/// Google has granted, and the server is being told, or is to be.
struct DeliverySection: View {
  let problem: Message?
  let retry: @MainActor () async -> Void

  var body: some View {
    if let problem {
      FailureSection(message: problem, retry: retry)
      Section { Text("view.connect.kept") }
    } else {
      Section { ProgressView("view.connect.delivering") }
    }
  }
}

/// Asks for consent once more.
struct ReconnectButton: View {
  let model: GmailConnectionModel

  var body: some View {
    Button("view.connect.again") { Task { await model.connect() } }
      .disabled(model.isBusy)
  }
}
