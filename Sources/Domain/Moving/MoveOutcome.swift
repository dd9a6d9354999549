/// How accounts are moved.
package struct MoveMode: Sendable, Hashable {
  /// Whether it is only said what would be done.
  package var isDryRun: Bool
  /// Whether what differs at the destination is overwritten.
  package var overwrites: Bool

  /// A mode.
  package init(isDryRun: Bool = false, overwrites: Bool = false) {
    self.isDryRun = isDryRun
    self.overwrites = overwrites
  }
}

/// What became of one account, or, in a dry run, what would.
package struct MovedAccount: Sendable {
  /// Whose it is.
  package let id: UserID
  /// What became of it.
  package let outcome: MoveOutcome
  /// Whether something is set aside at the source, which stays there.
  package let leavesAside: Bool
  /// The digest of what is at the source; nil where that could not be read.
  let atSource: [UInt8]?
  /// The digest of what is at the destination afterwards; nil where nothing is.
  let atDestination: [UInt8]?

  /// Whether a place gave no answer.
  var wasOutOfReach: Bool { outcome == .failed(.source) || outcome == .failed(.destination) }
}

/// What became of an account.
package enum MoveOutcome: Sendable, Hashable {
  /// It was not at the destination, or not all of it, and is.
  case copied
  /// It was another at the destination, and no longer is.
  case overwritten
  /// It was there.
  case equal
  /// Another is there, and stays.
  case different(MoveDifference)
  /// It cannot be moved as it is.
  case refused(MoveRefusal)
  /// It is not there, or not all of it; a repeated run goes on with it.
  case failed(MoveFailure)
}

/// What is another at the destination.
package enum MoveDifference: Sendable, Hashable {
  /// The address, the name or the time of sign-up, none of which ever changes: it is not overwritten.
  case user
  /// The password, or when it was changed.
  case password
  /// The connection.
  case connection
  /// There are tokens at the destination, and none at the source: they are not overwritten.
  case connectedThereOnly
}

/// Why an account cannot be moved as it is.
package enum MoveRefusal: Sendable, Hashable {
  /// Its address is, folded, that user's.
  case addressTaken(by: UserID)
  /// Its secret does not open, or holds no usable tokens. The user is moved, the secret stays where it is.
  case unreadable
}

/// Why an account was not moved.
package enum MoveFailure: Error, Sendable, Hashable {
  /// The source gave no answer.
  case source
  /// The destination gave no answer.
  case destination
  /// The grant is being refreshed at the source.
  case inUse
  /// The Google account is being revoked at the destination.
  case beingRevoked
  /// What was read back is not what was written: somebody else writes there.
  case notAsWritten
}
