import Cryptography
import Primitives

/// Names for attachments. Every reply has new ones, and each is good for an hour and for its message only.
struct AttachmentIDs: Sendable {
  private static let lifetime: Int64 = 3600
  private static let prefix = "ANGjdJ"
  private let key: HMACSHA256
  private let random: RandomSource

  init(random: RandomSource) {
    key = HMACSHA256(key: random.bytes(32))
    self.random = random
  }

  /// A new name for the part `partID` of a message.
  func make(partID: String, messageID: String, at now: Timestamp) -> String {
    let content = Array("\(now.seconds) \(partID) ".utf8) + random.bytes(64)
    let tag = key.authenticate(content + Array(messageID.utf8))
    return Self.prefix + Base64URL.encode(tag + content)
  }

  /// The part that `id` names; nil when it was not made for this message, or too long ago.
  func partID(_ id: String, messageID: String, at now: Timestamp) -> String? {
    guard id.hasPrefix(Self.prefix), let bytes = Base64URL.decode(id.dropFirst(Self.prefix.count)),
      bytes.count > 32, case let content = Array(bytes.dropFirst(32)),
      key.isValid(Array(bytes.prefix(32)), for: content + Array(messageID.utf8))
    else { return nil }
    let words = content.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count == 3, let made = Int64(String(decoding: words[0], as: UTF8.self)),
      now.seconds - made < Self.lifetime
    else { return nil }
    return String(decoding: words[1], as: UTF8.self)
  }
}
