import Primitives

/// Moves one account: the user first, then the connection and its tokens in one change. Killed in between, it leaves a
/// user who is not connected, and is gone on with by a repeated run.
struct MoveAccount: Sendable {
  let source: AccountPlace
  /// Nil for a place that is yet to be made.
  let destination: AccountPlace?
  let mode: MoveMode
  let addresses: SharedAddresses
  let digest: @Sendable ([UInt8]) -> [UInt8]
  let time: TimeSource

  /// What is at the destination of a user.
  private struct Present {
    let account: MovableAccount
    let isUntouched: Bool
  }

  /// What became of the account; nil when there is none any more.
  func callAsFunction(_ id: UserID) async -> MovedAccount? {
    var atSource: [UInt8]?
    var leavesAside = false
    do throws(MoveFailure) {
      guard let (user, stored) = try await read(id, at: source, failing: .source) else { return nil }
      if stored.lease?.isLive(at: time.now()) ?? false { throw .inUse }
      let account = MovableAccount(user, stored)
      atSource = digest(account.canonicalForm)
      leavesAside = stored.aside != nil
      let (outcome, present) = try await move(account)
      return MovedAccount(
        id: id, outcome: outcome, leavesAside: leavesAside, atSource: atSource,
        atDestination: present.map { digest($0.account.canonicalForm) })
    } catch {
      return MovedAccount(
        id: id, outcome: .failed(error), leavesAside: leavesAside, atSource: atSource, atDestination: nil)
    }
  }

  private func move(_ account: MovableAccount) async throws(MoveFailure) -> (MoveOutcome, Present?) {
    let id = account.user.id
    guard let destination, let present = try await present(id, at: destination) else {
      return try await moveNew(account)
    }
    return try await bring(account, over: present, at: destination)
  }

  /// The user is not at the destination.
  private func moveNew(_ account: MovableAccount) async throws(MoveFailure) -> (MoveOutcome, Present?) {
    let id = account.user.id
    if let owner = addresses.owner(insteadOf: id) { return (.refused(.addressTaken(by: owner)), nil) }
    guard let destination, !mode.isDryRun else {
      return (account.isUnreadable ? .refused(.unreadable) : .copied, nil)
    }
    if let owner = try await add(account.user, at: destination) {
      return (.refused(.addressTaken(by: owner)), nil)
    }
    guard let present = try await present(id, at: destination) else { throw .notAsWritten }
    let (outcome, result) = try await bring(account, over: present, at: destination)
    return (outcome == .equal ? .copied : outcome, result)
  }

  /// The user is at the destination: makes the rest what it is at the source, as far as it may.
  private func bring(_ account: MovableAccount, over present: Present, at destination: AccountPlace)
    async throws(MoveFailure) -> (MoveOutcome, Present?)
  {
    let plan = MovePlan(
      account, over: present.account, isUntouched: present.isUntouched, overwrites: mode.overwrites)
    guard !mode.isDryRun, plan.writesPassword || plan.writesConnection else { return (plan.outcome, present) }
    if plan.writesPassword { try await setPassword(account.user, at: destination) }
    if plan.writesConnection { try await putConnection(account, at: destination) }
    guard let result = try await self.present(account.user.id, at: destination),
      digest(result.account.canonicalForm) == digest(account.canonicalForm)
    else { throw .notAsWritten }
    return (plan.outcome, result)
  }

  // MARK: Reading

  private func read(_ id: UserID, at place: AccountPlace, failing failure: MoveFailure)
    async throws(MoveFailure) -> (User, VaultSnapshot)?
  {
    do throws(StoreError) {
      guard let user = try await place.users.user(id) else { return nil }
      return (user, try await place.vault.read(id))
    } catch {
      throw failure
    }
  }

  private func present(_ id: UserID, at destination: AccountPlace) async throws(MoveFailure) -> Present? {
    guard let (user, stored) = try await read(id, at: destination, failing: .destination) else { return nil }
    return Present(account: MovableAccount(user, stored), isUntouched: stored.isUntouched)
  }

  // MARK: Writing

  /// Adds the user; gives whoever has the address instead.
  private func add(_ user: User, at destination: AccountPlace) async throws(MoveFailure) -> UserID? {
    do throws(StoreError) {
      guard try await !destination.users.add(user) else { return nil }
      let owner = try await destination.users.user(withEmail: EmailAddress(lookingUp: user.email))
      return owner?.id == user.id ? nil : owner?.id
    } catch {
      throw .destination
    }
  }

  private func setPassword(_ user: User, at destination: AccountPlace) async throws(MoveFailure) {
    do throws(StoreError) {
      try await destination.users.setPassword(
        user.passwordHash, of: user.id, sessionsValidFrom: user.endOfSessions)
    } catch {
      throw .destination
    }
  }

  private func putConnection(_ account: MovableAccount, at destination: AccountPlace)
    async throws(MoveFailure)
  {
    let change = VaultChange(
      secret: account.tokens.map { .put($0) } ?? .keep,
      connection: account.connection.map { .put($0) } ?? .forget)
    let (overwrites, now) = (mode.overwrites, time.now())
    // An older backend did not know whose mailbox it is.
    let subject = account.tokens.flatMap { $0.account.subject.rawValue.isEmpty ? nil : $0.account.subject }
    let isBusy: Bool
    do throws(StoreError) {
      isBusy = try await destination.vault.update(account.user.id, account: subject) { stored in
        if stored.revocation?.isRunning(at: now) ?? false { return (.none, true) }
        // What came since it was looked at stays; then what is read back is not what was to be written.
        return (overwrites || stored.isUntouched ? change : .none, false)
      }
    } catch {
      throw .destination
    }
    if isBusy { throw .beingRevoked }
  }
}
