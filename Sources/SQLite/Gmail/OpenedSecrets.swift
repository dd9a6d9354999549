import Domain
import Glibc
import Primitives
import Synchronization

/// Secrets that this process has sealed or opened, so that a stored value that is still the same, byte for byte,
/// is not opened again. What is stored is always read: a value that was changed, moved or put back is opened, and
/// found not to open.
final class OpenedSecrets: Sendable {
  private final class Entry: Sendable {
    let version: String
    let sealed: [UInt8]
    let secret: StoredSecret

    init(version: String, sealed: [UInt8], secret: StoredSecret) {
      self.version = version
      self.sealed = sealed
      self.secret = secret
    }

    /// By `memcmp`: one by one the bytes would take many times as long.
    func isSealed(as other: [UInt8]) -> Bool {
      sealed.count == other.count && memcmp(sealed, other, other.count) == 0
    }
  }

  private let entries: Mutex<RecentValues<UserID, Entry>>

  /// Remembers up to `capacity` users' secrets.
  init(capacity: Int) { entries = Mutex(RecentValues(capacity: capacity)) }

  /// What `sealed` holds, if it is known as the secret of `user` under `version`.
  func secret(in sealed: [UInt8], of user: UserID, version: String) -> StoredSecret? {
    let entry = entries.withLock { $0[user] }
    guard let entry, entry.version == version, entry.isSealed(as: sealed) else { return nil }
    return entry.secret
  }

  /// Remembers that `sealed`, as the secret of `user` under `version`, holds `secret`.
  func remember(_ secret: StoredSecret, in sealed: [UInt8], of user: UserID, version: String) {
    entries.withLock { $0[user] = Entry(version: version, sealed: sealed, secret: secret) }
  }
}
