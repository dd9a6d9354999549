import FoundationEssentials
import Primitives

extension JSONValue {
  /// What `value` looks like on the wire; an empty object if it cannot be written, which no wire model is.
  init(encoding value: some Encodable) {
    let bytes = try? JSONEncoder().encode(value)
    self = bytes.flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) } ?? [:]
  }
}
