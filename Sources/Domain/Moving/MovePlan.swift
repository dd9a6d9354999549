/// What has to be written over what is at the destination, and what that comes to.
struct MovePlan {
  private(set) var writesPassword = false
  private(set) var writesConnection = false
  private(set) var outcome = MoveOutcome.equal

  /// How `present` becomes `account`, or why it does not.
  init(_ account: MovableAccount, over present: MovableAccount, isUntouched: Bool, overwrites: Bool) {
    let (wanted, there) = (account.user, present.user)
    guard (wanted.email, wanted.name, wanted.createdAt) == (there.email, there.name, there.createdAt) else {
      outcome = .different(.user)
      return
    }
    let hasSamePassword =
      wanted.passwordHash == there.passwordHash && wanted.endOfSessions == there.endOfSessions
    guard hasSamePassword || overwrites else {
      outcome = .different(.password)
      return
    }
    guard !account.isUnreadable else {
      outcome = .refused(.unreadable)
      return
    }
    writesPassword = !hasSamePassword
    if writesPassword { outcome = .overwritten }
    guard !account.hasSameConnection(as: present) else { return }
    if isUntouched {
      writesConnection = true
      if outcome == .equal { outcome = .copied }
    } else if account.tokens == nil, present.tokens != nil || present.isUnreadable {
      (writesPassword, outcome) = (false, .different(.connectedThereOnly))
    } else if overwrites {
      (writesConnection, outcome) = (true, .overwritten)
    } else {
      outcome = .different(.connection)
    }
  }
}
