/// Why the device cannot keep or read something. Holds no content.
public enum StorageError: Error, Sendable, Hashable {
  /// The file system refused; `code` is the `errno`.
  case file(path: String, code: Int32)
  /// The Keychain refused; `status` is its `OSStatus`.
  case keychain(status: Int32)
}
