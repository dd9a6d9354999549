import Primitives

/// Users whose address is, folded, another's too. An older backend let two sign-ups at once have one address, and took
/// another case for another address.
///
/// Who is at the destination already keeps the address, else who was there first, as at sign-in: so a dry run says
/// what a run does, and a run does the same in whatever order users are listed.
struct SharedAddresses: Sendable {
  private let owners: [UserID: UserID]

  /// Whose the address of that user is; nil when it is their own.
  func owner(insteadOf id: UserID) -> UserID? { owners[id] }

  /// Goes through all users of both places. Two numbers a user are kept, and users only where two may share an
  /// address.
  init(source: any UserStore, destination: (any UserStore)?) async throws(MoveFailure) {
    var suspects = Suspects()
    try await Self.forEachUser(source, destination) { suspects.look(at: $0.user) }
    guard !suspects.isEmpty else {
      owners = [:]
      return
    }
    var sharers: [String: [UserID: Sharer]] = [:]
    try await Self.forEachUser(source, destination) { sharer in
      guard suspects.contain(sharer.user) else { return }
      let known = sharers[EmailAddress.fold(sharer.user.email), default: [:]][sharer.user.id]
      if known?.isThere ?? false { return }
      sharers[EmailAddress.fold(sharer.user.email), default: [:]][sharer.user.id] = sharer
    }
    var owners: [UserID: UserID] = [:]
    for group in sharers.values where group.count > 1 {
      guard let owner = group.values.min(by: { $0.rank < $1.rank })?.user.id else { continue }
      for sharer in group.values where !sharer.isThere && sharer.user.id != owner {
        owners[sharer.user.id] = owner
      }
    }
    self.owners = owners
  }

  private static func forEachUser(
    _ source: any UserStore, _ destination: (any UserStore)?, _ body: (Sharer) -> Void
  ) async throws(MoveFailure) {
    do throws(StoreError) { try await source.forEachUser { body(Sharer(user: $0, isThere: false)) } } catch {
      throw .source
    }
    do throws(StoreError) {
      try await destination?.forEachUser { body(Sharer(user: $0, isThere: true)) }
    } catch {
      throw .destination
    }
  }
}

/// One who may share an address.
private struct Sharer {
  let user: User
  let isThere: Bool

  /// Who has the least keeps the address.
  var rank: (Int, Int64, String) { (isThere ? 0 : 1, user.createdAt.microseconds, user.id.rawValue) }
}

/// Addresses that two users may have.
private struct Suspects {
  private var firstUser: [Int: Int] = [:]
  private var addresses: Set<Int> = []

  var isEmpty: Bool { addresses.isEmpty }

  mutating func look(at user: User) {
    let (address, id) = (Self.number(of: user), user.id.hashValue)
    if let first = firstUser.updateValue(id, forKey: address), first != id { addresses.insert(address) }
  }

  func contain(_ user: User) -> Bool { addresses.contains(Self.number(of: user)) }

  private static func number(of user: User) -> Int { EmailAddress.fold(user.email).hashValue }
}
