import Domain
import Primitives

/// What a statement's parameter can be bound to.
enum SQLiteValue: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])

  /// How long the text or blob is.
  var byteCount: Int {
    switch self {
    case .null, .integer: 0
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    }
  }

  init(stringLiteral value: String) { self = .text(value) }
  init(integerLiteral value: Int64) { self = .integer(value) }
  init(nilLiteral: ()) { self = .null }

  init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  init(_ bytes: [UInt8]?) { self = bytes.map { .blob($0) } ?? .null }
  init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }
  init(_ flag: Bool?) { self = flag.map { .integer($0 ? 1 : 0) } ?? .null }
  init(_ moment: Timestamp?) { self = moment.map { .integer($0.microseconds) } ?? .null }
  init<Thing>(_ identifier: Identifier<Thing>?) { self.init(identifier?.rawValue) }
}
