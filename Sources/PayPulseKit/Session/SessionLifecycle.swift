import Primitives

/// Why a session was not made or ended.
public enum SessionError: Error, Sendable, Hashable {
  /// The server's answer, or that there was none.
  case api(APIError)
  /// The device cannot keep or erase it.
  case storage(StorageError)
}

/// Sign-up to account deletion, with what the device keeps in step.
public struct SessionLifecycle: Sendable {
  private let api: APIClient
  private let sessions: any SessionStore
  private let undelivered: any UndeliveredTokensStore

  /// The lifecycle of sessions at the server of `api`.
  public init(api: APIClient, sessions: any SessionStore, undelivered: any UndeliveredTokensStore) {
    self.api = api
    self.sessions = sessions
    self.undelivered = undelivered
  }

  /// Makes an account and keeps its session.
  public func signUp(email: String, name: String, password: Secret) async throws(SessionError) -> Session {
    let session: Session
    do { session = try await api.signUp(email: email, name: name, password: password) } catch {
      throw .api(error)
    }
    try await keep(session)
    return session
  }

  /// Signs in and keeps the session.
  public func signIn(email: String, password: Secret) async throws(SessionError) -> Session {
    let session: Session
    do { session = try await api.signIn(email: email, password: password) } catch { throw .api(error) }
    try await keep(session)
    return session
  }

  /// Forgets the session. Undelivered tokens of its user stay for their next sign-in, unless `forgetting` erases them.
  public func signOut(_ session: Session, forgetting: Bool) async throws(SessionError) {
    do throws(StorageError) {
      if forgetting { try await undelivered.remove(UndeliveredTokens.Owner(session)) }
      try await sessions.remove()
    } catch { throw .storage(error) }
  }

  /// Deletes the account at the server, then everything of it here. When the server does not confirm, nothing is
  /// erased and the error is the caller's.
  public func deleteAccount(_ session: Session) async throws(SessionError) {
    do { try await api.deleteAccount(session) } catch { throw .api(error) }
    try await signOut(session, forgetting: true)
  }

  private func keep(_ session: Session) async throws(SessionError) {
    do { try await sessions.save(session) } catch { throw .storage(error) }
  }
}
