/// What became of all accounts.
package struct MoveSummary: Sendable {
  /// Why a run ended before all accounts were gone through.
  package enum Stop: Sendable, Hashable {
    /// It was told to.
    case cancelled
    /// The source no longer lists its users.
    case noList
    /// One account after the other failed.
    case failures
  }

  /// How many accounts were gone through.
  package private(set) var accounts = 0
  /// How many were copied.
  package private(set) var copied = 0
  /// How many were overwritten.
  package private(set) var overwritten = 0
  /// How many were there.
  package private(set) var equal = 0
  /// How many are others at the destination.
  package private(set) var different = 0
  /// How many have an address that is another's.
  package private(set) var addressesTaken = 0
  /// How many have a secret that cannot be used.
  package private(set) var unreadable = 0
  /// How many failed.
  package private(set) var failed = 0
  /// How many have something set aside, which was not moved.
  package private(set) var asides = 0
  /// How many revocations the source owes, up to ``mostOwed``; they are not moved.
  package let owed: Int
  /// Why it ended early; nil when it did not.
  package internal(set) var stop: Stop?

  private var source = TotalDigest()
  private var destination = TotalDigest()
  private let digest: @Sendable ([UInt8]) -> [UInt8]

  /// So many revocations are counted at most.
  package static let mostOwed = 1000

  init(owed: Int, digest: @escaping @Sendable ([UInt8]) -> [UInt8]) {
    self.owed = owed
    self.digest = digest
  }

  /// The digest of all accounts at the source that could be read, in whatever order.
  package var sourceDigest: [UInt8] { digest(source.bytes) }
  /// The digest of the same accounts at the destination.
  package var destinationDigest: [UInt8] { digest(destination.bytes) }

  /// Whether nothing keeps a run from completing, or kept this one: no account that differs, is refused or failed,
  /// and no revocation owed.
  package var isUnhindered: Bool {
    stop == nil && owed == 0 && different + addressesTaken + unreadable + failed == 0
  }

  /// Whether everything is at the destination, and equal.
  package var isComplete: Bool { isUnhindered && sourceDigest == destinationDigest }

  mutating func count(_ account: MovedAccount) {
    accounts += 1
    if account.leavesAside { asides += 1 }
    if let digest = account.atSource { source.add(digest) }
    if let digest = account.atDestination { destination.add(digest) }
    switch account.outcome {
    case .copied: copied += 1
    case .overwritten: overwritten += 1
    case .equal: equal += 1
    case .different: different += 1
    case .refused(.addressTaken): addressesTaken += 1
    case .refused(.unreadable): unreadable += 1
    case .failed: failed += 1
    }
  }
}

/// The sum of many digests, as numbers without a sign: the same in whatever order they come.
struct TotalDigest: Sendable {
  private(set) var bytes = [UInt8](repeating: 0, count: 32)

  mutating func add(_ digest: [UInt8]) {
    var carry: UInt16 = 0
    for (index, byte) in zip(bytes.indices, digest).reversed() {
      let sum = UInt16(bytes[index]) + UInt16(byte) + carry
      bytes[index] = UInt8(truncatingIfNeeded: sum)
      carry = sum >> 8
    }
  }
}
