import Primitives

/// A search as a tree.
indirect enum SearchTerm: Sendable {
  case all([SearchTerm])
  case any([SearchTerm])
  case not(SearchTerm)
  /// An operator like `from:` with its argument.
  case field(String, String)
  /// A word or quoted phrase anywhere in the message.
  case text(String)
}

/// The words of a text, lower case: what searches compare.
enum SearchWords {
  static func of(_ text: String) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    for scalar in text.lowercased().unicodeScalars {
      if isPart(scalar) {
        word.append(scalar)
      } else if !word.isEmpty {
        words.append(String(word))
        word = String.UnicodeScalarView()
      }
    }
    if !word.isEmpty { words.append(String(word)) }
    return words
  }

  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x80 {
      return 0x61...0x7A ~= scalar.value || 0x30...0x39 ~= scalar.value
    }
    let properties = scalar.properties
    return properties.isAlphabetic || properties.numericType != nil
      || properties.generalCategory == .nonspacingMark
  }

  /// Whether the words of `phrase` stand in `text` one after the other. A phrase without words is nowhere.
  static func text(_ text: String, holds phrase: String) -> Bool {
    let wanted = of(phrase)
    let words = of(text)
    guard !wanted.isEmpty, words.count >= wanted.count else { return false }
    return (0...(words.count - wanted.count)).contains {
      words[$0..<($0 + wanted.count)].elementsEqual(wanted)
    }
  }
}
