import Primitives

/// AWS Key Management Service's actions, typed.
package struct KMS: Sendable {
  private let client: AWSClient

  /// The actions over `client`.
  package init(client: AWSClient) { self.client = client }

  /// A new key of 256 bits, wrapped by the KMS key `key` (an id, an ARN or an alias). It unwraps only with the same
  /// `context`, which KMS logs: it must hold no secret.
  package func generateDataKey(_ key: String, context: [String: String]) async throws(AWSError) -> DataKeyPair
  {
    let reply = try await call(.generateDataKey) { text in
      text.member("KeyId", key)
      text.member("KeySpec", "AES_256")
      text.context(context)
    }
    guard let plaintext = reply["Plaintext"]?.string.flatMap(Base64.decode), plaintext.count == 32,
      let wrapped = reply["CiphertextBlob"]?.string.flatMap(Base64.decode)
    else { throw .unavailable }
    return DataKeyPair(key: PlainDataKey(plaintext), wrapped: wrapped)
  }

  /// The key that `wrapped` holds. Fails with `InvalidCiphertextException` when it was not wrapped so, or with
  /// another `context`. With `key` only that KMS key is used.
  package func decrypt(_ wrapped: [UInt8], key: String? = nil, context: [String: String])
    async throws(AWSError)
    -> PlainDataKey
  {
    let reply = try await call(.decrypt) { text in
      text.member("CiphertextBlob", Base64.encode(wrapped))
      text.member("KeyId", key)
      text.context(context)
    }
    guard let plaintext = reply["Plaintext"]?.string.flatMap(Base64.decode) else { throw .unavailable }
    return PlainDataKey(plaintext)
  }

  private func call(_ action: KMSAction, _ members: (inout JSONText) -> Void) async throws(AWSError)
    -> JSONValue
  {
    var text = JSONText(capacity: 512)
    text.object(members)
    return try await client.call(action, body: text.bytes)
  }
}

/// A key in the clear. It does not show itself.
package struct PlainDataKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let bytes: [UInt8]

  /// Wraps `bytes`.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The bytes, for the one place that encrypts or decrypts with them.
  package func expose() -> [UInt8] { bytes }

  /// Always `<redacted>`.
  package var description: String { "<redacted>" }
  /// Always `<redacted>`.
  package var debugDescription: String { "<redacted>" }
  /// Shows no child.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A new key.
package struct DataKeyPair: Sendable {
  /// In the clear.
  package let key: PlainDataKey
  /// Wrapped, to be kept beside what it encrypts.
  package let wrapped: [UInt8]
}

extension JSONText {
  fileprivate mutating func context(_ context: [String: String]) {
    if context.isEmpty { return }
    key("EncryptionContext")
    object { for (name, value) in context.sorted(by: { $0.key < $1.key }) { $0.member(name, value) } }
  }
}
