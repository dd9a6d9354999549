import Primitives

/// A connection to Gmail that was begun and has not reached the server yet. Belongs to one user at one server.
public struct UndeliveredTokens: Sendable, Hashable {
  /// Whose it is.
  public let owner: Owner
  /// How far it came.
  public let stage: Stage

  /// One user at one server.
  public struct Owner: Sendable, Hashable {
    /// The server.
    public let server: ServerAddress
    /// The user.
    public let userID: UserID

    /// The user of `session`.
    public init(_ session: Session) {
      server = session.server
      userID = session.userID
    }
  }

  /// How far a connection came.
  public enum Stage: Sendable, Hashable {
    /// The browser was opened.
    case opened(AuthorizationAttempt)
    /// A code came back, and is to be redeemed.
    case returned(AuthorizationAttempt, code: Secret, at: Timestamp)
    /// Google granted, and the server is to be told.
    case granted(GoogleGrant)
  }

  /// What `owner` has under way.
  public init(owner: Owner, stage: Stage) {
    self.owner = owner
    self.stage = stage
  }
}

extension UndeliveredTokens {
  /// The record for a file or the Keychain, its secrets in the clear.
  var stored: JSONValue {
    var members: [String: JSONValue] = [
      "server": .string(owner.server.description), "user_id": .string(owner.userID.rawValue),
    ]
    switch stage {
    case .opened(let attempt): members["attempt"] = attempt.stored
    case .returned(let attempt, let code, let moment):
      members["attempt"] = attempt.stored
      members["code"] = .string(code.expose())
      members["returned_at"] = .integer(moment.seconds)
    case .granted(let grant): members["grant"] = grant.stored
    }
    return .object(members)
  }

  /// What ``stored`` gave, if it is `owner`'s; nil when it is anything else.
  init?(stored: JSONValue, of owner: Owner) {
    guard stored["server"]?.string == owner.server.description,
      stored["user_id"]?.string == owner.userID.rawValue
    else { return nil }
    if let grant = stored["grant"].flatMap({ GoogleGrant(stored: $0) }) {
      self.init(owner: owner, stage: .granted(grant))
    } else if let attempt = stored["attempt"].flatMap({ AuthorizationAttempt(stored: $0) }) {
      if let code = stored["code"]?.string, let moment = stored["returned_at"]?.integer {
        self.init(owner: owner, stage: .returned(attempt, code: Secret(code), at: Timestamp(seconds: moment)))
      } else {
        self.init(owner: owner, stage: .opened(attempt))
      }
    } else {
      return nil
    }
  }
}
