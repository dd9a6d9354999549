import Primitives

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// JSON between bytes and values, in one place since Foundation's name differs between systems.
enum JSONCoding {
  /// The value in `bytes`; nil when they are not JSON of that shape.
  static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
    try? JSONDecoder().decode(type, from: Data(bytes))
  }

  /// `value` as JSON; nil only for a number that JSON cannot say.
  static func encode(_ value: some Encodable) -> [UInt8]? {
    (try? JSONEncoder().encode(value)).map { [UInt8]($0) }
  }
}
