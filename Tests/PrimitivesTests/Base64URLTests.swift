import Primitives
import Testing

@Suite("Base64URL")
struct Base64URLTests {
  @Test(
    "RFC 4648 section 10's vectors, without padding",
    arguments: [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
      ("foobar", "Zm9vYmFy"),
    ])
  func vectors(plain: String, coded: String) {
    #expect(Base64URL.encode(Array(plain.utf8)) == coded)
    #expect(Base64URL.decode(coded) == Array(plain.utf8))
    let bytes = Array(coded.utf8).withUnsafeBufferPointer { Base64URL.decode($0[...]) }
    #expect(bytes == Array(plain.utf8), "and from bytes")
  }

  @Test("The alphabet is the URL- and file-name-safe one")
  func alphabet() {
    #expect(Base64URL.encode([0xFB, 0xEF, 0xFF]) == "--__")
    #expect(Base64URL.decode("--__") == [0xFB, 0xEF, 0xFF])
  }

  @Test(
    "What is not canonical is refused",
    arguments: [
      "Zg==", "Zm8=", "Zm9v=", "Z", "Zm9vY", "Zh", "Zm9", "Zm9vYh", "++//", "Zm 9v", "Zm9v\n", "Zm9v.", "Zmé",
      "=", "\u{0}AAA",
      "Zm9vYmF=",
    ])
  func strict(text: String) { #expect(Base64URL.decode(text) == nil) }

  @Test("Every length and every byte comes back")
  func roundTrip() {
    for length in 0...300 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ length) }
      let text = Base64URL.encode(bytes)
      #expect(text.utf8.count == (length * 4 + 2) / 3)
      #expect(Base64URL.decode(text) == bytes)
    }
  }

  @Test("Of all texts of two characters exactly the 256 canonical ones are accepted")
  func exhaustive() {
    let characters = (0..<128).map { Character(UnicodeScalar(UInt8($0))) }
    var accepted: Set<[UInt8]> = []
    var count = 0
    for first in characters {
      for second in characters {
        guard let bytes = Base64URL.decode(String([first, second])) else { continue }
        accepted.insert(bytes)
        count += 1
      }
    }
    #expect(count == 256)
    #expect(accepted.count == 256)
  }
}
