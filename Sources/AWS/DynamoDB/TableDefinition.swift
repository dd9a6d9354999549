import Primitives

/// A table as it has to be: what `deploy/aws/` declares, and what makes it where nothing else does, as in tests and
/// on a developer's own machine.
package struct TableDefinition: Sendable, Hashable {
  /// A key attribute.
  package struct Key: Sendable, Hashable {
    /// Its type.
    package enum Kind: String, Sendable {
      /// Text.
      case string = "S"
      /// A number.
      case number = "N"
    }
    /// The attribute.
    package let name: String
    /// Its type.
    package let kind: Kind

    /// An attribute of text, unless `kind` says otherwise.
    package init(_ name: String, _ kind: Kind = .string) {
      self.name = name
      self.kind = kind
    }
  }

  /// A global secondary index.
  package struct Index: Sendable, Hashable {
    /// Its name.
    package let name: String
    /// The partition key.
    package let partition: Key
    /// The sort key.
    package let sort: Key?
    /// The attributes that it holds besides keys; nil for all.
    package let projection: [String]?

    /// An index.
    package init(_ name: String, partition: Key, sort: Key? = nil, projection: [String]? = nil) {
      self.name = name
      self.partition = partition
      self.sort = sort
      self.projection = projection
    }
  }

  /// The name.
  package let name: String
  /// The partition key.
  package let partition: Key
  /// The sort key.
  package let sort: Key?
  /// The global secondary indexes.
  package let indexes: [Index]

  /// A table.
  package init(_ name: String, partition: Key, sort: Key? = nil, indexes: [Index] = []) {
    self.name = name
    self.partition = partition
    self.sort = sort
    self.indexes = indexes
  }
}

/// What makes tables. No deployed code calls it, and no role allows it.
package enum TableCreation: String, AWSAction {
  /// Makes a table.
  case createTable = "CreateTable"

  /// DynamoDB.
  package static var service: AWSService { .dynamoDB }
  /// A second time it is refused.
  package var isRepeatable: Bool { false }
}

extension DynamoDB {
  /// Makes `table`, paid by request. AWS takes some seconds until it can be used; `moto` takes none.
  package func createTable(_ table: TableDefinition) async throws(AWSError) {
    var text = JSONText()
    table.write(to: &text)
    _ = try await client.call(TableCreation.createTable, body: text.bytes)
  }
}

extension TableDefinition: JSONWritable {
  /// Writes CreateTable's input.
  package func write(to text: inout JSONText) {
    text.object { text in
      text.member("TableName", name)
      text.member("BillingMode", "PAY_PER_REQUEST")
      text.key("AttributeDefinitions")
      text.array { text in
        for key in keyAttributes {
          text.object {
            $0.member("AttributeName", key.name)
            $0.member("AttributeType", key.kind.rawValue)
          }
        }
      }
      text.keySchema(partition, sort)
      if indexes.isEmpty { return }
      text.key("GlobalSecondaryIndexes")
      text.array { for index in indexes { index.write(to: &$0) } }
    }
  }

  /// Every attribute that is part of a key, once, by name.
  private var keyAttributes: [Key] {
    let keys =
      [partition, sort].compactMap(\.self) + indexes.flatMap { [$0.partition, $0.sort].compactMap(\.self) }
    return Set(keys).sorted { $0.name < $1.name }
  }
}

extension TableDefinition.Index: JSONWritable {
  /// Writes an element of `GlobalSecondaryIndexes`.
  package func write(to text: inout JSONText) {
    text.object { text in
      text.member("IndexName", name)
      text.keySchema(partition, sort)
      text.key("Projection")
      text.object {
        $0.member("ProjectionType", projection.map { $0.isEmpty ? "KEYS_ONLY" : "INCLUDE" } ?? "ALL")
        if let projection, !projection.isEmpty {
          $0.key("NonKeyAttributes")
          $0.array { for name in projection { $0.value(name) } }
        }
      }
    }
  }
}

extension JSONText {
  fileprivate mutating func keySchema(_ partition: TableDefinition.Key, _ sort: TableDefinition.Key?) {
    key("KeySchema")
    array { text in
      for (key, type) in [(partition, "HASH")] + (sort.map { [($0, "RANGE")] } ?? []) {
        text.object {
          $0.member("AttributeName", key.name)
          $0.member("KeyType", type)
        }
      }
    }
  }
}
