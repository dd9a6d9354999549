import Primitives

/// Opens a user's mailbox: a live token, and the certainty that it is for the account that is connected.
package struct OpenMailbox: Sendable {
  /// An open mailbox.
  package struct Opened: Sendable {
    /// A token that Gmail accepts.
    package let token: GoogleAccessToken
    /// The mailbox's address and size.
    package let profile: MailboxProfile
  }

  /// Why the mailbox stays closed.
  package enum Refusal: Error, Sendable, Hashable {
    /// There is no token.
    case token(TokenRefusal)
    /// Gmail did not answer, or refused.
    case google(GoogleError)
    /// The token answers for another account than the one connected.
    case anotherAccount
  }

  private let tokens: TokenSource
  private let vault: any TokenVault
  private let mailbox: any Mailbox
  private let google: any GoogleOAuth

  /// Opens mailboxes with the tokens of `tokens`.
  package init(tokens: TokenSource, vault: any TokenVault, mailbox: any Mailbox, google: any GoogleOAuth) {
    self.tokens = tokens
    self.vault = vault
    self.mailbox = mailbox
    self.google = google
  }

  /// The mailbox of `user`. A token that Gmail answers 401 to is refreshed once, and tried once more.
  package func callAsFunction(_ user: UserID) async throws(Refusal) -> Opened {
    var token = try await accessToken(user, rejecting: nil)
    let profile: MailboxProfile
    do throws(GoogleError) { profile = try await mailbox.profile(token) } catch {
      guard error == .invalidToken else { throw .google(error) }
      token = try await accessToken(user, rejecting: token)
      profile = try await retried(token)
    }
    try await checkAccount(of: token, profile, user: user)
    return Opened(token: token, profile: profile)
  }

  private func accessToken(_ user: UserID, rejecting rejected: GoogleAccessToken?) async throws(Refusal)
    -> GoogleAccessToken
  {
    do throws(TokenRefusal) {
      return try await tokens.accessToken(for: user, rejecting: rejected)
    } catch {
      throw .token(error)
    }
  }

  private func retried(_ token: GoogleAccessToken) async throws(Refusal) -> MailboxProfile {
    do throws(GoogleError) { return try await mailbox.profile(token) } catch { throw .google(error) }
  }

  /// The address tells at once in nearly every case. An account may have been renamed, though, or answer under
  /// an alias: then Google's `sub` decides.
  private func checkAccount(of token: GoogleAccessToken, _ profile: MailboxProfile, user: UserID)
    async throws(Refusal)
  {
    let stored: VaultSnapshot
    do throws(StoreError) { stored = try await vault.read(user) } catch { throw .token(.store(error)) }
    guard let account = stored.knownAccount else { throw .token(.notConnected) }
    if EmailAddress.fold(account.email) == EmailAddress.fold(profile.emailAddress) { return }
    let subject: GoogleSubject?
    do throws(GoogleError) { subject = try await google.userInfo(token).subject } catch {
      throw .google(error)
    }
    guard subject == account.subject else { throw .anotherAccount }
  }
}
