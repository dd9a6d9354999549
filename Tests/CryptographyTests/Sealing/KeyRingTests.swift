import Cryptography
import Primitives
import Testing

@Suite("Key files")
struct KeyRingTests {
  /// A key whose base64 holds both characters that base64url spells differently.
  private static let keyBytes: [UInt8] = [0xFB, 0xEF, 0xFF] + (3..<32).map { UInt8($0) }
  private static let hexadecimal = keyBytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    .joined()
  private static let base64URL = Base64URL.encode(keyBytes)
  private static let base64 = base64URL.replacing("-", with: "+").replacing("_", with: "/") + "="

  private func ring(_ content: String) throws -> KeyRing { try KeyRing(file: Array(content.utf8)) }

  @Test("Every way to write a key gives the same key")
  func forms() throws {
    let key = try #require(WrappingKey(Self.keyBytes))
    #expect(Self.base64.contains("+") && Self.base64.contains("/"))
    let forms = [
      Self.hexadecimal, Self.hexadecimal.uppercased(), Self.base64, Self.base64URL, Self.base64URL + "=",
      "  \(Self.base64)\t\r\n", "\n\n\(Self.base64URL)\n\n",
    ]
    for form in forms { #expect(try ring(form).current.id == key.id) }
    #expect(try KeyRing(file: Self.keyBytes).current.id == key.id)
  }

  @Test("A key's identifier is the beginning of a digest over a label and the key")
  func identifier() throws {
    let key = try #require(WrappingKey([UInt8](repeating: 7, count: 32)))
    let digest = Digest.sha256(Array("paypulse wrapping key".utf8) + [UInt8](repeating: 7, count: 32))
    #expect(key.id.description.count == 16)
    #expect(bytes(hex: key.id.description) == Array(digest.prefix(8)))
  }

  @Test("The last key is the current one, and all are on the ring")
  func rotation() throws {
    let old = try #require(WrappingKey([UInt8](repeating: 1, count: 32)))
    let new = try #require(WrappingKey(Self.keyBytes))
    let file = Base64URL.encode([UInt8](repeating: 1, count: 32)) + "\n" + Self.hexadecimal + "\n"
    let ring = try ring(file)
    #expect(ring.current.id == new.id)
    #expect(ring[old.id]?.id == old.id && ring[new.id]?.id == new.id)
    let absent = try #require(WrappingKey([UInt8](repeating: 9, count: 32)))
    #expect(ring[absent.id] == nil)
  }

  @Test("A file without a key is refused", arguments: ["", "\n", " \r\n\t\n"])
  func empty(content: String) {
    #expect(throws: KeyRing.ParseError.empty) { try ring(content) }
  }

  @Test(
    "A wrong line is named by its number",
    arguments: [
      "not a key", hexadecimal.dropLast() + "", hexadecimal + "0", base64URL + "A", base64URL.dropLast() + "",
      base64 + "=", base64URL + " " + base64URL, "g" + hexadecimal.dropFirst(), "# " + base64URL,
      "\u{FEFF}" + base64URL,
    ])
  func invalidLine(line: String) {
    #expect(throws: KeyRing.ParseError.invalidLine(1)) { try ring(line) }
    #expect(throws: KeyRing.ParseError.invalidLine(3)) { try ring(Self.base64URL + "\n\n" + line + "\n") }
  }

  @Test("Neither a key nor a complaint about it shows its bytes")
  func redacted() throws {
    let ring = try ring(Self.base64URL)
    var dumped = ""
    dump(ring, to: &dumped)
    for part in [Self.hexadecimal, Self.base64URL, "251", "\(Self.keyBytes)"] {
      #expect(!dumped.contains(part) && !"\(ring)".contains(part))
    }
  }
}
