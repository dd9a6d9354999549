import AppModel
import Foundation
import Primitives
import SwiftUI
import UIKit

extension Message {
  /// The message in the person's language, with its arguments in their places (`%1$@`, `%2$@`). An argument may be
  /// empty, so what it leaves at the end is cut off.
  var localized: String {
    let pattern = Bundle.main.localizedString(forKey: key.rawValue, value: nil, table: nil)
    return zip(1..., arguments)
      .reduce(pattern) { text, argument in
        text.replacingOccurrences(of: "%\(argument.0)$@", with: argument.1)
      }
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Has VoiceOver read the message.
  @MainActor
  func announce() { UIAccessibility.post(notification: .announcement, argument: localized) }
}

extension Text {
  /// A message of a model.
  init(_ message: Message) { self.init(verbatim: message.localized) }

  /// A day.
  init(_ day: CalendarDay) {
    let parts = DateComponents(
      calendar: Calendar(identifier: .gregorian), year: day.year, month: day.month, day: day.day)
    self.init(verbatim: (parts.date ?? .distantPast).formatted(date: .long, time: .omitted))
  }

  /// A moment.
  init(_ moment: Timestamp) {
    let date = Date(timeIntervalSince1970: Double(moment.seconds))
    self.init(verbatim: date.formatted(date: .long, time: .shortened))
  }
}
