import CCrypt
import CLibcrypto

/// bcrypt over libxcrypt, with the scratch memory of one thread; hence neither copied nor shared.
struct Bcrypt: ~Copyable {
  /// bcrypt reads no more of a password; libxcrypt refuses very long ones instead of reading their beginning.
  private static let maximumLength = 72
  /// `$2b$12$`, 22 characters of salt, 31 of digest.
  static let hashLength = 60

  private let scratch = UnsafeMutablePointer<crypt_data>.allocate(capacity: 1)

  init() { scratch.initialize(to: crypt_data()) }

  deinit {
    OPENSSL_cleanse(scratch, MemoryLayout<crypt_data>.size)
    scratch.deallocate()
  }

  /// A new setting: `$2b$`, the cost (4 to 31, the binary logarithm of the rounds) and a random salt. Nil
  /// when libxcrypt fails.
  static func setting(cost: Int) -> String? {
    var output = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
    guard crypt_gensalt_rn("$2b$", UInt(cost), nil, 0, &output, Int32(output.count)) != nil else {
      return nil
    }
    return output.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
  }

  /// The hash of `password` under the setting that `setting` is or begins with; nil when that is none of
  /// bcrypt's.
  func hash(_ password: [UInt8], setting: String) -> [UInt8]? {
    guard ["$2a$", "$2b$", "$2y$"].contains(where: setting.hasPrefix) else { return nil }
    // Overwritten before each use too: libxcrypt wants it zeroed, and leaves the password's schedule in it.
    OPENSSL_cleanse(scratch, MemoryLayout<crypt_data>.size)
    var phrase = password.prefix(Self.maximumLength).map { CChar(bitPattern: $0) } + [0]
    defer { OPENSSL_cleanse(&phrase, phrase.count) }
    guard let result = crypt_rn(phrase, setting, scratch, Int32(MemoryLayout<crypt_data>.size)) else {
      return nil
    }
    return Array(UnsafeRawBufferPointer(start: result, count: strlen(result)))
  }
}
