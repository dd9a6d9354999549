import Domain
import Primitives
import Synchronization

/// What a person, or a test, does at Google.
extension FakeGoogle {
  /// The scopes of a full consent.
  package static let fullScopes = GrantedScopes(
    "openid https://www.googleapis.com/auth/userinfo.email \(GrantedScopes.gmailReadonly)")

  /// A new consent of `account` to `clientID`.
  package func consent(
    _ account: GoogleAccount, clientID: GoogleClientID, scopes: GrantedScopes = fullScopes, at now: Timestamp
  ) -> (access: GoogleAccessToken, refresh: GoogleRefreshToken) {
    state.withLock { state in
      state.grants.append(FakeGrant(account: account, clientID: clientID, scopes: scopes))
      let grant = state.grants.count - 1
      return (state.issueAccessToken(of: grant, at: now), state.issueRefreshToken(of: grant))
    }
  }

  /// Kills every grant of the account, as the person or a revocation does.
  package func killGrants(of account: GoogleAccount) {
    state.withLock { $0.killGrants(of: account.subject) }
  }

  /// Brings every grant of the account back, as if Google had been wrong to refuse it.
  package func reviveGrants(of account: GoogleAccount) {
    state.withLock { state in
      for index in state.grants.indices where state.grants[index].account.subject == account.subject {
        state.grants[index].isAlive = true
      }
    }
  }

  /// Whether a refresh with this token would work.
  package func honours(_ token: GoogleRefreshToken?) -> Bool {
    state.withLock { state in
      token.flatMap { state.refreshTokens[$0] }.map { state.grants[$0].isAlive } ?? false
    }
  }

  /// Whether Gmail takes this token at `now`.
  package func honours(_ token: GoogleAccessToken?, at now: Timestamp) -> Bool {
    state.withLock { state in
      token.flatMap { state.accessTokens[$0] }.map { $0.expiresAt > now && state.grants[$0.grant].isAlive }
        ?? false
    }
  }

  /// Whose token it is; nil when it never was one.
  package func account(behind token: GoogleAccessToken) -> GoogleAccount? {
    state.withLock { state in state.accessTokens[token].map { state.grants[$0.grant].account } }
  }

  /// Whose token it is; nil when it is none, or not any more.
  package func account(behind token: GoogleRefreshToken) -> GoogleAccount? {
    state.withLock { state in state.refreshTokens[token].map { state.grants[$0].account } }
  }

  /// Gmail refuses this token from now on, whatever its lifetime.
  package func forget(_ token: GoogleAccessToken) { state.withLock { $0.accessTokens[token] = nil } }

  /// The mailbox of the account answers under another address.
  package func rename(mailboxOf account: GoogleAccount, to address: String) {
    state.withLock { $0.mailboxes[account.subject] = address }
  }
}
