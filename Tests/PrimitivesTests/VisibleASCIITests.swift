import Primitives
import Testing

@Suite("Visible ASCII")
struct VisibleASCIITests {
  @Test("All of them are, and the empty text has nothing else in it")
  func all() {
    #expect("".isVisibleASCII)
    #expect(String(decoding: UInt8(0x21)...0x7E, as: UTF8.self).isVisibleASCII)
  }

  @Test(
    "One other character is found wherever it stands",
    arguments: ["\0", "\t", "\n", " ", "\u{1F}", "\u{7F}", "é", "\u{80}"])
  func others(character: String) {
    for length in 0..<20 {
      for place in 0...length {
        let text =
          String(repeating: "x", count: place) + character + String(repeating: "~", count: length - place)
        #expect(!text.isVisibleASCII, "at \(place) of \(length)")
      }
    }
  }
}
