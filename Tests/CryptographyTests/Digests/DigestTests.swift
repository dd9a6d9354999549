import Cryptography
import Testing

@Suite("Digests")
struct DigestTests {
  @Test(
    "SHA-256 of the standard's messages",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func sha256(message: String, expected: String) {
    #expect(Digest.sha256(Array(message.utf8)) == bytes(hex: expected))
    #expect(Digest.sha256(message.utf8) == bytes(hex: expected))
  }

  @Test("SHA-512 of the standard's message")
  func sha512() {
    let expected = """
      ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a
      2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
      """
    #expect(Digest.sha512("abc".utf8) == bytes(hex: expected))
  }

  @Test("A collection that is not contiguous is hashed like its bytes")
  func lazyCollection() {
    let message = Array("abc".utf8)
    #expect(Digest.sha256(message.reversed().lazy.reversed()) == Digest.sha256(message))
  }

  @Test("Bytes are equal only when all of them are")
  func constantTime() {
    #expect(ConstantTime.equals([1, 2, 3], [1, 2, 3]))
    #expect(ConstantTime.equals([], []))
    #expect(!ConstantTime.equals([1, 2, 3], [1, 2, 4]))
    #expect(!ConstantTime.equals([1, 2, 3], [1, 2]))
    #expect(!ConstantTime.equals([], [0]))
  }
}
