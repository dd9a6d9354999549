import Primitives
import WireModels

/// *Connect Gmail*, from the person's consent to the server's receipt, so that a network that breaks anywhere on
/// the way costs no consent.
///
/// An earlier grant is never revoked from here: until the server has the new one, it reads mail with the old.
public struct GmailConnector: Sendable {
  private let authorizer: any GoogleAuthorizing
  private let delivery: TokenDelivery
  private let store: any UndeliveredTokensStore

  /// A connector that asks by `authorizer` and hands over by `delivery`, which keeps its records in `store`.
  public init(
    authorizer: any GoogleAuthorizing, delivery: TokenDelivery, store: any UndeliveredTokensStore
  ) {
    self.authorizer = authorizer
    self.delivery = delivery
    self.store = store
  }

  /// Connects the session's user. What an earlier attempt obtained is delivered instead of asking anew; only when
  /// there is none, or it is of no use, the person is asked, without suggesting an account.
  ///
  /// - Parameters:
  ///   - session: whose mailbox it is to be.
  ///   - willAsk: called before the person is asked, if they are.
  public func connect(
    in session: Session, willAsk: @Sendable () async -> Void = {}
  ) async throws(ConnectError) -> ConnectOutcome {
    do throws(ConnectError) {
      if let outcome = try await delivery.deliverPending(in: session) { return outcome }
    } catch .google(.clientMisconfigured, _) {
      // Those tokens were made with a client that is no longer good.
    } catch {
      if error.isKept { throw error }
    }
    await willAsk()
    return try await ask(ConsentRequest(), in: session)
  }

  /// Asks the same account again for the permission to read mail. When the person declines once more, they are still
  /// signed in: that too is ``ConnectOutcome/mailPermissionMissing(_:)``.
  public func askAgain(
    _ missing: MissingMailPermission, in session: Session
  ) async throws(ConnectError) -> ConnectOutcome {
    let consent = ConsentRequest(
      scopes: MailPermission.askedAgain, loginHint: missing.email ?? missing.subject)
    do throws(ConnectError) { return try await ask(consent, in: session) } catch {
      switch error {
      case .google(.denied, _), .google(.cancelled, _): return .mailPermissionMissing(missing)
      case .google(.scopesAlreadyGranted, _), .google(.nobodySignedIn, _),
        .google(.mismatchWithCurrentUser, _):
        return try await ask(ConsentRequest(), in: session)
      default: throw error
      }
    }
  }

  private func ask(_ consent: ConsentRequest, in session: Session) async throws(ConnectError)
    -> ConnectOutcome
  {
    let owner = UndeliveredTokens.Owner(session)
    let grant: GoogleGrant
    do throws(AuthorizationError) {
      grant = try await authorizer.authorize(consent) { [store] checkpoint throws(StorageError) in
        try await store.save(UndeliveredTokens(owner: owner, stage: UndeliveredTokens.Stage(checkpoint)))
      }
    } catch {
      throw await afterFailure(error, of: owner)
    }
    return try await delivery.take(grant, in: session)
  }

  /// Keeps a code that may still be redeemed; erases anything else.
  private func afterFailure(_ error: AuthorizationError, of owner: UndeliveredTokens.Owner) async
    -> ConnectError
  {
    if case .storage(let cause) = error { return .storage(cause) }
    if error.isPassing, case .returned? = try? await store.load(owner)?.stage {
      return .google(error, kept: true)
    }
    try? await store.remove(owner)
    return .google(error, kept: false)
  }
}

extension ConnectError {
  /// Whether the device holds what it needs to go on later.
  public var isKept: Bool {
    switch self {
    case .google(_, let kept), .server(_, let kept): kept
    case .expired: false
    case .storage: true
    }
  }
}

extension UndeliveredTokens.Stage {
  fileprivate init(_ checkpoint: AuthorizationCheckpoint) {
    switch checkpoint {
    case .opened(let attempt): self = .opened(attempt)
    case .returned(let attempt, let code, let moment): self = .returned(attempt, code: code, at: moment)
    }
  }
}
