import Primitives
import Testing

@testable import Cryptography

@Suite("Base64url from bytes")
struct Base64URLBytesTests {
  private func decode(_ text: [UInt8]) -> [UInt8]? {
    text.withUnsafeBufferPointer { Base64URLBytes.decode($0[...]) }
  }

  @Test("The examples of RFC 4648 section 10", arguments: ["", "f", "fo", "foo", "foob", "fooba", "foobar"])
  func examples(text: String) {
    let encoded = ["": "", "f": "Zg", "fo": "Zm8", "foo": "Zm9v", "foob": "Zm9vYg", "fooba": "Zm9vYmE"]
    #expect(decode(Array((encoded[text] ?? "Zm9vYmFy").utf8)) == Array(text.utf8))
  }

  @Test(
    "Padding, other alphabets, white space and loose bits are refused",
    arguments: [
      "Z", "Zg==", "Zg=", "Zh", "Zm9", "Zm+v", "Zm/v", " Zg", "Zg\n", "Zm9vY", "Zm9v\0", "Zé9v",
    ])
  func refused(text: String) { #expect(decode(Array(text.utf8)) == nil) }

  @Test("Every short text is read as the general decoder reads it")
  func agreement() {
    var generator = SplitMix64(state: 7)
    let characters = Array("AZaz09-_+/= .".utf8)
    for _ in 0..<20_000 {
      let length = Int.random(in: 0...9, using: &generator)
      let text = (0..<length).map { _ in characters[Int.random(in: characters.indices, using: &generator)] }
      #expect(decode(text) == Base64URL.decode(String(decoding: text, as: UTF8.self)))
    }
  }
}
