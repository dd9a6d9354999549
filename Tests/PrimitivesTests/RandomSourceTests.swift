import Primitives
import Testing

@Suite("The system's random bytes")
struct RandomSourceTests {
  @Test(
    "So many as were asked for, none left out and none twice", arguments: [0, 1, 7, 16, 255, 256, 257, 1000])
  func counts(count: Int) {
    let (one, other) = (RandomSource.system.bytes(count), RandomSource.system.bytes(count))
    #expect(one.count == count && other.count == count)
    // Eight bytes that are equal by chance: once in 2^64.
    for start in stride(from: 0, to: count - 7, by: 8) {
      #expect(one[start..<(start + 8)] != other[start..<(start + 8)])
      #expect(one[start..<(start + 8)] != [0, 0, 0, 0, 0, 0, 0, 0])
    }
  }
}
