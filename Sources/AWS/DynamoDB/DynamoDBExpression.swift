import Primitives

/// A condition, an update or a key condition, whose names and values stand where they are used:
///
///     "attribute_not_exists(\(name: "user_id")) OR \(name: "fence") < \(.integer(5))"
///
/// Names and values are sent as placeholders, so that no reserved word and no value can change what it says
/// (Amazon DynamoDB Developer Guide, "Expressions").
package struct DynamoDBExpression: Sendable, Hashable, ExpressibleByStringInterpolation {
  fileprivate enum Piece: Sendable, Hashable {
    case text(String)
    case name(String)
    case value(AttributeValue)
  }

  /// Collects the pieces.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pieces: [Piece] = []

    /// Nothing yet.
    package init(literalCapacity: Int, interpolationCount: Int) {
      pieces.reserveCapacity(2 * interpolationCount + 1)
    }

    /// Text of the expression's own.
    package mutating func appendLiteral(_ text: String) { if !text.isEmpty { pieces.append(.text(text)) } }
    /// An attribute by its name, which may hold dots: they are part of it.
    package mutating func appendInterpolation(name: String) { pieces.append(.name(name)) }
    /// A value.
    package mutating func appendInterpolation(_ value: AttributeValue) { pieces.append(.value(value)) }
    /// Another expression.
    package mutating func appendInterpolation(expression: DynamoDBExpression) {
      pieces += expression.pieces
    }
  }

  fileprivate let pieces: [Piece]

  /// An expression of text alone.
  package init(stringLiteral text: String) { pieces = [.text(text)] }
  /// An expression.
  package init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

  /// `SET` these attributes, in the order of their names, and `REMOVE` those; one of both must name something.
  package static func set(_ attributes: DynamoDBItem, remove: [String] = []) -> DynamoDBExpression {
    var all = StringInterpolation(literalCapacity: 0, interpolationCount: attributes.attributes.count * 2)
    for (index, (name, value)) in attributes.attributes.sorted(by: { $0.key < $1.key }).enumerated() {
      all.appendLiteral(index == 0 ? "SET " : ", ")
      all.appendInterpolation(name: name)
      all.appendLiteral(" = ")
      all.appendInterpolation(value)
    }
    for (index, name) in remove.enumerated() {
      let isAlone = attributes.attributes.isEmpty
      all.appendLiteral(index > 0 ? ", " : isAlone ? "REMOVE " : " REMOVE ")
      all.appendInterpolation(name: name)
    }
    return DynamoDBExpression(stringInterpolation: all)
  }
}

/// The placeholders of one request: `#0`, `#1`, … for names and `:0`, `:1`, … for values.
struct ExpressionPlaceholders {
  private var names: [String] = []
  private var values: [AttributeValue] = []

  /// The expression with placeholders in it.
  mutating func render(_ expression: DynamoDBExpression) -> String {
    var text = ""
    for piece in expression.pieces {
      switch piece {
      case .text(let own): text += own
      case .name(let name): text += placeholder(name)
      case .value(let value):
        text += ":\(values.count)"
        values.append(value)
      }
    }
    return text
  }

  /// The names with commas between them.
  mutating func render(names: [String]) -> String {
    names.map { placeholder($0) }.joined(separator: ", ")
  }

  private mutating func placeholder(_ name: String) -> String {
    if let index = names.firstIndex(of: name) { return "#\(index)" }
    names.append(name)
    return "#\(names.count - 1)"
  }

  /// Writes what the placeholders stand for; DynamoDB refuses empty tables of them.
  func write(to text: inout JSONText) {
    if !names.isEmpty {
      text.key("ExpressionAttributeNames")
      text.object { for (index, name) in names.enumerated() { $0.member("#\(index)", name) } }
    }
    if !values.isEmpty {
      text.key("ExpressionAttributeValues")
      text.object { for (index, value) in values.enumerated() { $0.member(":\(index)", value) } }
    }
  }
}
