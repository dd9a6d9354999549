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
    function.authenticate(
      tokens.flatMap { token in Array("\(token.expose().utf8.count):\(token.expose())".utf8) })
  }
}
