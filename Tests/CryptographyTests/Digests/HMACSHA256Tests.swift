import Cryptography
import Testing

@Suite("HMAC with SHA-256")
struct HMACSHA256Tests {
  /// RFC 4231 sections 4.2, 4.3, 4.4 and 4.7: a short key, a shorter one, and one longer than a block.
  @Test(
    "The test cases of RFC 4231",
    arguments: [
      (
        [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
      ),
      (
        [UInt8](repeating: 0xaa, count: 131),
        Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ])
  func vectors(key: [UInt8], message: [UInt8], expected: String) {
    let function = HMACSHA256(key: key)
    #expect(function.authenticate(message) == bytes(hex: expected))
    #expect(function.authenticate(message) == bytes(hex: expected), "the template is unchanged by use")
    #expect(function.isValid(bytes(hex: expected), for: message))
    #expect(!function.isValid(bytes(hex: expected), for: message + [0]))
  }

  @Test("An empty message has a tag")
  func emptyMessage() {
    let expected = "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
    #expect(HMACSHA256(key: [0]).authenticate([]) == bytes(hex: expected))
  }

  @Test("Many tasks share one key")
  func concurrent() async {
    let function = HMACSHA256(key: Array("shared".utf8))
    let expected = (0..<64).map { HMACSHA256(key: Array("shared".utf8)).authenticate([UInt8($0)]) }
    let all = await withTaskGroup(of: (Int, [UInt8]).self) { group in
      for number in 0..<64 { group.addTask { (number, function.authenticate([UInt8(number)])) } }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    #expect((0..<64).allSatisfy { all[$0] == expected[$0] })
  }
}
