import Primitives
import Testing

@Suite("Looking for control characters")
struct ControlCharactersTests {
  private func contains(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { $0.containsControl(or: UInt8(ascii: "\""), UInt8(ascii: "\\")) }
  }

  @Test("Each byte is found or passed over wherever it stands, beside whatever neighbours")
  func everyByte() {
    for neighbour in [UInt8(0x20), 0x41, 0x80, 0xFF] {
      for length in [1, 7, 8, 9, 17] {
        for position in 0..<length {
          for byte in UInt8.min ... .max {
            var bytes = [UInt8](repeating: neighbour, count: length)
            bytes[position] = byte
            let expected = byte < 0x20 || byte == 0x7F || byte == 0x22 || byte == 0x5C
            if contains(bytes) != expected { Issue.record("\(byte) at \(position) of \(length)") }
          }
        }
      }
    }
    #expect(!contains([]))
  }
}
