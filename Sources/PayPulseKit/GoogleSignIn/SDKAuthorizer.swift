import Primitives

/// Obtains grants through Google's Sign-In SDK, which opens the page, checks the answer and redeems the code itself.
///
/// The SDK's grant of an earlier person is never used for the present one: a first question always starts signed out,
/// and lets the person choose. Nothing is revoked.
public struct SDKAuthorizer: GoogleAuthorizing {
  private let sdk: any GoogleSignInSDK
  private let endpoints: GoogleEndpoints
  private let time: TimeSource

  /// An authorizer over `sdk`; `endpoints` are those where its tokens can be refreshed.
  public init(
    sdk: any GoogleSignInSDK, endpoints: GoogleEndpoints = GoogleEndpoints(), time: TimeSource = .system
  ) {
    self.sdk = sdk
    self.endpoints = endpoints
    self.time = time
  }

  /// Asks the person. With a hint, the account that it names is asked for the scopes it lacks.
  public func authorize(
    _ consent: ConsentRequest,
    checkpoint: @escaping @Sendable (AuthorizationCheckpoint) async throws(StorageError) -> Void
  ) async throws(AuthorizationError) -> GoogleGrant {
    let scopes = consent.scopes.filter { !MailPermission.identity.contains($0) }
    do throws(GoogleSignInFailure) {
      let user =
        if let hint = consent.loginHint { try await add(scopes, to: hint) } else { try await choose(scopes) }
      return user.grant(at: time.now(), endpoints: endpoints)
    } catch { throw AuthorizationError(error) }
  }

  /// Signs out of the SDK on this device.
  public func forget() async { await sdk.signOut() }

  /// A fresh sign-in with a free choice of account. Someone who stays signed in could not switch.
  private func choose(_ scopes: [String]) async throws(GoogleSignInFailure) -> GoogleSignInUser {
    await sdk.signOut()
    return try await signIn(hint: nil, scopes)
  }

  /// Asks the account of `hint` for more. Whoever else the SDK holds is not the one to ask, and an SDK that holds
  /// nobody (its Keychain item was lost) signs in again.
  private func add(_ scopes: [String], to hint: String) async throws(GoogleSignInFailure) -> GoogleSignInUser
  {
    guard await holds(hint) else { return try await signIn(hint: hint, scopes) }
    do throws(GoogleSignInFailure) { return try await sdk.addScopes(scopes) } catch {
      switch error {
      case .sdk(.scopesAlreadyGranted, _): return try await granted(hint: hint, scopes)
      case .sdk(.hasNoAuthInKeychain, _), .sdk(.mismatchWithCurrentUser, _), .sdk(.refreshTokenExpired, _):
        return try await signIn(hint: hint, scopes)
      default: throw error
      }
    }
  }

  private func holds(_ hint: String) async -> Bool {
    if let user = await sdk.currentUser() { return user.isAccount(hint) }
    do { return try await sdk.restorePreviousSignIn().isAccount(hint) } catch { return false }
  }

  /// "Already granted" is no failure: the tokens at hand have the scopes.
  private func granted(hint: String, _ scopes: [String]) async throws(GoogleSignInFailure) -> GoogleSignInUser
  {
    do throws(GoogleSignInFailure) { return try await sdk.refreshTokensIfNeeded() } catch {
      switch error {
      case .network: throw error
      default: return try await sdk.signIn(hint: hint, additionalScopes: scopes)
      }
    }
  }

  private func signIn(hint: String?, _ scopes: [String]) async throws(GoogleSignInFailure) -> GoogleSignInUser
  {
    do throws(GoogleSignInFailure) { return try await sdk.signIn(hint: hint, additionalScopes: scopes) } catch
    {
      guard case .sdk(.scopesAlreadyGranted, _) = error else { throw error }
      return try await sdk.refreshTokensIfNeeded()
    }
  }
}
