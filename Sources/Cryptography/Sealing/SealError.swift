/// Why a sealed value does not open.
package enum SealError: Error, Sendable, Hashable {
  /// It is no sealed value, or of a version that is not known.
  case malformed
  /// It was sealed under a key that is not in the key file.
  case unknownKey(WrappingKeyID)
  /// It, or its context, is not what was sealed.
  case notAuthentic
}
