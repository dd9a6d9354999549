import Primitives

/// An item of a table, or a part of one, as a key is.
package struct DynamoDBItem: Sendable, Hashable {
  /// The attributes by name.
  package var attributes: [String: AttributeValue]

  /// An item of these attributes.
  package init(_ attributes: [String: AttributeValue] = [:]) { self.attributes = attributes }

  /// The attribute `name`; nil when there is none. Setting nil removes it.
  package subscript(name: String) -> AttributeValue? {
    get { attributes[name] }
    set { attributes[name] = newValue }
  }

  /// Whether it has these attributes with these values.
  package func contains(_ part: DynamoDBItem) -> Bool {
    part.attributes.allSatisfy { attributes[$0.key] == $0.value }
  }
}

extension DynamoDBItem: ExpressibleByDictionaryLiteral {
  /// An item of these attributes; of those with one name the last stands.
  package init(dictionaryLiteral elements: (String, AttributeValue)...) {
    attributes = Dictionary(elements, uniquingKeysWith: { _, last in last })
  }
}

extension DynamoDBItem: JSONWritable {
  /// Writes `{"name":{"S":"…"},…}`.
  package func write(to text: inout JSONText) {
    text.object {
      for (name, value) in attributes {
        $0.key(name)
        value.write(to: &$0)
      }
    }
  }

  /// Reads `{"name":{"S":"…"},…}`; nil when it is no such thing.
  package init?(json: JSONValue) {
    guard let members = json.object else { return nil }
    var attributes: [String: AttributeValue] = [:]
    attributes.reserveCapacity(members.count)
    for (name, member) in members {
      guard let value = AttributeValue(json: member) else { return nil }
      attributes[name] = value
    }
    self.attributes = attributes
  }
}
