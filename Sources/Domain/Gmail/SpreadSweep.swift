import Primitives

/// A sweep spread over processes that come and go: one finds out what is due and hands it on, others use the grants.
/// Nobody stays to try again, so what failed is thrown.
extension SweepGrants {
  /// Everything of a round but using grants. All of it is tried; the first failure is thrown at the end.
  package func tidyUp() async throws(StoreError) {
    try await forEach(Chore.allCases) { chore throws(StoreError) in try await perform(chore) }
  }

  /// Users whose grant is to be used now, longest overdue first; while deaths are doubted also one that the wave set
  /// aside.
  package func due(limit: Int) async throws(StoreError) -> [UserID] {
    let due = try await vault.dueForUse(at: time.now(), limit: limit)
    guard let doubted = try await doubtedGrant() else { return due }
    return due + [doubted]
  }

  /// Uses the grant of `user`, unless it was used since it was found to be due: what is handed on may arrive twice.
  /// A use that Google put off is planned anew; throws when the store did not say, or could not be told.
  package func useIfDue(_ user: UserID) async throws(StoreError) {
    guard isDue(try await vault.read(user)) else { return }
    do throws(TokenRefusal) { try await tokens.useGrant(of: user) } catch {
      if case .store(let failure) = error { throw failure }
      guard let delay = Self.delay(after: error) else { return }
      do throws(StoreError) { try await putOff(user, by: delay) } catch {
        // Deleted meanwhile: nothing to use any more.
        guard error == .noSuchUser else { throw error }
      }
      log.warning("grant_use_put_off", [("reason", .string(error.name))])
    }
  }

  private func isDue(_ stored: VaultSnapshot) -> Bool {
    // A try on a grant set aside by a wave of deaths; the flight itself knows whether that is doubted yet.
    if !stored.secret.hasTokens { return stored.aside != nil }
    // An older backend wrote no record; a connection that cannot be refreshed has no next use.
    guard let connection = stored.connection else { return true }
    guard let next = connection.nextUseAt else { return false }
    let now = time.now()
    // Further ahead than a day: a wrong clock wrote it.
    return next <= now || next > now + Self.furthestUse
  }
}

extension TokenRefusal {
  /// What the log calls it.
  fileprivate var name: String {
    switch self {
    case .notConnected: "not_connected"
    case .needsReconnect: "needs_reconnect"
    case .blocked: "blocked"
    case .operatorFault: "operator_fault"
    case .temporarilyUnavailable: "temporarily_unavailable"
    case .store: "store"
    }
  }
}
