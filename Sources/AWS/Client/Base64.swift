import Primitives

/// Base64 with padding (RFC 4648 section 4), as AWS's JSON carries bytes.
package enum Base64 {
  /// `bytes` as base64.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text = Base64URL.encode(bytes).utf8.map { translated($0, "-_", "+/") }
    while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes behind `text`; nil unless it is canonical.
  package static func decode(_ text: String) -> [UInt8]? {
    guard text.utf8.count % 4 == 0, !text.utf8.contains(where: { "-_".utf8.contains($0) }) else { return nil }
    let padding = text.utf8.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    let characters = text.utf8.dropLast(padding).map { translated($0, "+/", "-_") }
    return characters.withUnsafeBufferPointer { Base64URL.decode($0[...]) }
  }

  private static func translated(_ byte: UInt8, _ from: StaticString, _ into: StaticString) -> UInt8 {
    if byte == from.utf8Start[0] { return into.utf8Start[0] }
    return byte == from.utf8Start[1] ? into.utf8Start[1] : byte
  }
}
