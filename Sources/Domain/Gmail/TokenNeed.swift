import Primitives

/// What a caller wants of an access token, and what the stored one is worth to them.
package struct TokenNeed: Sendable, Hashable {
  /// How long the token has to live yet.
  package var validFor: Duration
  /// A token that will not do.
  package var rejected: GoogleAccessToken?
  /// Whether only a token that comes from a refresh after this need arose will do.
  package var wantsFresh = false

  /// A need.
  package init(validFor: Duration, rejected: GoogleAccessToken? = nil) {
    self.validFor = validFor
    self.rejected = rejected
  }

  /// A token from a refresh of now, for the sweep.
  package static let freshToken: TokenNeed = {
    var need = TokenNeed(validFor: .zero)
    need.wantsFresh = true
    return need
  }()

  /// The same need with `margin` more life.
  package func ahead(of margin: Duration) -> TokenNeed {
    var need = self
    need.validFor += margin
    return need
  }

  /// What to do for this need.
  package enum Verdict: Sendable, Hashable {
    /// The stored token will do.
    case use(GoogleAccessToken)
    /// It will do, and is better refreshed soon.
    case useAndRefresh(GoogleAccessToken)
    /// It will not do; the grant can be refreshed.
    case refresh
    /// There is no way to a token.
    case refuse(TokenRefusal)
  }

  /// The verdict on what is stored.
  package func judge(_ stored: VaultSnapshot, at now: Timestamp) -> Verdict {
    guard let tokens = stored.secret.tokens else { return judgeWithoutTokens(stored, at: now) }
    guard tokens.refreshToken != nil else { return judgeLimited(tokens, at: now) }
    let life = tokens.expiresAt - now
    // No token lives longer than the longest: a wrong clock dated it.
    guard !wantsFresh, tokens.accessToken != rejected, life >= validFor,
      life <= .seconds(UploadedTokens.lifetimes.upperBound)
    else { return .refresh }
    return life >= validFor + TokenSource.earlyRefresh
      ? .use(tokens.accessToken) : .useAndRefresh(tokens.accessToken)
  }

  private func judgeWithoutTokens(_ stored: VaultSnapshot, at now: Timestamp) -> Verdict {
    // An unusable value is for the flight to move aside; so is a try on a grant set aside by a wave of deaths.
    if case .unusable = stored.secret { return .refresh }
    guard let connection = stored.connection else { return .refuse(.notConnected) }
    if stored.aside != nil, connection.reason == .invalidGrant { return .refresh }
    return .refuse(.needsReconnect(connection.reason(at: now) ?? .unreadable))
  }

  /// Without a refresh token the access token is all there is: it is used up to its end.
  private func judgeLimited(_ tokens: OAuthTokens, at now: Timestamp) -> Verdict {
    guard tokens.expiresAt > now, tokens.accessToken != rejected else {
      return .refuse(.needsReconnect(.accessExpired))
    }
    return .use(tokens.accessToken)
  }
}
