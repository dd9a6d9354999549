import FoundationEssentials
import Primitives

extension JSONValue {
  /// Reads a JSON text; nil when it is none.
  init?(parsing bytes: [UInt8]) {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) else { return nil }
    self = value
  }
}
