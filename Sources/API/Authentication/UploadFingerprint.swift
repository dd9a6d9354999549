import Cryptography
import Primitives

/// Recognises an upload by a keyed digest of its tokens.
struct UploadFingerprint: Sendable {
  private let function: HMACSHA256

  init(key: Secret) {
    // A key of its own, so that a digest says nothing about sessions.
    let derived = HMACSHA256(key: Array(key.expose().utf8)).authenticate(
      Array("paypulse upload fingerprint".utf8))
    function = HMACSHA256(key: derived)
  }

  func callAsFunction(_ tokens: [Secret]) -> [UInt8] {
    // Each token behind its length: no two uploads run together to one message.
    var message: [UInt8] = []
    for token in tokens.map({ $0.expose().utf8 }) {
      message.append(contentsOf: String(token.count).utf8)
      message.append(UInt8(ascii: ":"))
      message.append(contentsOf: token)
    }
    return function.authenticate(message)
  }
}
