import AppModel
import SwiftUI

/// A message of a model, which VoiceOver reads as it appears.
struct MessageView: View {
  let message: Message
  let systemImage: String

  var body: some View {
    Label {
      Text(message)
    } icon: {
      Image(systemName: systemImage).accessibilityHidden(true)
    }
    .accessibilityElement(children: .combine)
    .task(id: message) { message.announce() }
  }
}

/// A message, and a button that tries again.
struct FailureSection: View {
  let message: Message
  let retry: @MainActor () async -> Void

  var body: some View {
    Section {
      MessageView(message: message, systemImage: "exclamationmark.triangle")
      Button("view.retry") { Task { await retry() } }
    }
  }
}
