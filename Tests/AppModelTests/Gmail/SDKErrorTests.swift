import AppModel
import PayPulseKit
import Primitives
import TestSupport
import Testing

/// Each error of Google's SDK, at each of its calls that the app makes.
@Suite("Errors of Google's SDK on the way to a connection", .serialized) @MainActor
struct SDKErrorTests {
  private let ada = World.accounts[0]

  private func message(_ code: GoogleSignInFailure.Code) -> (Message, canRetry: Bool) {
    switch code {
    case .canceled: (Message(.consentCancelled), true)
    case .keychain: (Message(.deviceStorageFailed), true)
    case .emm: (Message(.deviceNotCompliant), false)
    case .ambiguousClaims: (Message(.googleClientRefused, "ambiguous_claims"), false)
    case .jsonSerializationFailure: (Message(.googleClientRefused, "json_serialization_failure"), false)
    case .refreshTokenExpired: (Message(.consentExpired), true)
    case .unknown, .hasNoAuthInKeychain, .mismatchWithCurrentUser, .scopesAlreadyGranted:
      (Message(.googleSignInFailed), true)
    }
  }

  @Test(
    "at the sign-in: it is told, nothing is stored, and the next try connects",
    arguments: GoogleSignInFailure.Code.allCases, Transport.allCases)
  func atSignIn(code: GoogleSignInFailure.Code, transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world, .sdk)
      let gmail = try await phone.signUp()
      await phone.sdk.fail(.signIn, .sdk(code, detail: ""))
      await gmail.connect()
      // "Already granted" is answered with the tokens at hand, and after a sign-out there are none.
      let (expected, canRetry) = message(code)
      #expect(gmail.state == .failed(expected, canRetry: canRetry))
      #expect(gmail.display == .connectButton)
      #expect(phone.undeliveredFiles == 0)
      #expect(try await world.backend.mailboxes().isEmpty)
      await phone.sdk.fail(.signIn, nil)
      await gmail.connect()
      #expect(gmail.state == .connected(address: ada))
    }
  }

  @Test(
    "while connected: the connection stays as it was, at the server and on the screen",
    arguments: GoogleSignInFailure.Code.allCases, Transport.allCases)
  func whileConnected(code: GoogleSignInFailure.Code, transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world, .sdk)
      let gmail = try await phone.signUp()
      await gmail.connect()
      await phone.sdk.fail(.signIn, .sdk(code, detail: ""))
      await gmail.connect()
      #expect(gmail.display == .connectedAddress(ada))
      #expect(try await world.backend.mailboxes() == ["user@example.com": ada])
      #expect(try await world.calls(of: "revoke") == 0)
      await gmail.resume()
      try await world.backend.useConnection(of: "user@example.com")
      #expect(try await world.backend.mailboxes() == ["user@example.com": ada])
    }
  }

  /// Somebody who left the box for mail unticked, and is about to be asked again.
  private func askedAgain(
    _ code: GoogleSignInFailure.Code, in world: World
  ) async throws -> (Phone, GmailConnectionModel) {
    let phone = try Phone(in: world, .sdk)
    let gmail = try await phone.signUp()
    try await world.untick([MailPermission.readMail])
    await gmail.connect()
    #expect(gmail.state == .failed(Message(.mailPermissionMissing, ada), canRetry: true))
    try await world.untick([])
    await phone.sdk.fail(.addScopes, .sdk(code, detail: ""))
    await phone.sdk.forgetCalls()
    return (phone, gmail)
  }

  @Test(
    "when asked for more: nobody there, another one, or an ended token signs in anew and connects",
    arguments: [
      GoogleSignInFailure.Code.hasNoAuthInKeychain, .mismatchWithCurrentUser, .refreshTokenExpired,
    ], Transport.allCases)
  func signsInAnew(code: GoogleSignInFailure.Code, transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let (phone, gmail) = try await askedAgain(code, in: world)
      await gmail.retry()
      #expect(gmail.state == .connected(address: ada))
      #expect(await phone.sdk.calls == [.addScopes, .signIn])
    }
  }

  @Test(
    "when asked for more: declining leaves the permission missing, and the person signed in",
    arguments: Transport.allCases)
  func declined(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let (phone, gmail) = try await askedAgain(.canceled, in: world)
      await gmail.retry()
      #expect(gmail.state == .failed(Message(.mailPermissionMissing, ada), canRetry: true))
      #expect(await phone.sdk.currentUser() != nil)
      #expect(try await phone.disk.sessions.load() != nil)
    }
  }

  @Test(
    "when asked for more: any other error is told",
    arguments: [
      GoogleSignInFailure.Code.unknown, .keychain, .emm, .ambiguousClaims, .jsonSerializationFailure,
    ], Transport.allCases)
  func told(code: GoogleSignInFailure.Code, transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let (_, gmail) = try await askedAgain(code, in: world)
      await gmail.retry()
      let (expected, canRetry) = message(code)
      #expect(gmail.state == .failed(expected, canRetry: canRetry))
    }
  }

  @Test(
    "B3: scopes that are granted already are no failure: the tokens at hand connect",
    arguments: Transport.allCases)
  func alreadyGranted(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let (phone, gmail) = try await askedAgain(.scopesAlreadyGranted, in: world)
      // The SDK's user did get the scope: only its last answer was without.
      _ = try await phone.sdk.signIn(hint: nil, additionalScopes: [MailPermission.readMail])
      let consents = phone.person.consents
      await phone.sdk.forgetCalls()
      await gmail.retry()
      #expect(gmail.state == .connected(address: ada))
      #expect(await phone.sdk.calls == [.addScopes, .refreshTokensIfNeeded])
      #expect(phone.person.consents == consents)
    }
  }

  @Test(
    "B3: asking twice for what was granted ends both times with a connection", arguments: Transport.allCases)
  func askedTwice(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let (phone, gmail) = try await askedAgain(.scopesAlreadyGranted, in: world)
      await phone.sdk.fail(.addScopes, nil)
      await gmail.retry()
      #expect(gmail.state == .connected(address: ada))
      // The same question, past the model: the SDK says "already granted".
      let authorizer = SDKAuthorizer(
        sdk: phone.sdk, endpoints: GoogleEndpoints(baseURL: world.google), time: world.clock.source)
      let again = ConsentRequest(scopes: MailPermission.askedAgain, loginHint: ada)
      let grant = try await authorizer.authorize(again) { _ in }
      #expect(!grant.lacksMailPermission)
      #expect(grant.refreshToken != nil)
    }
  }

  @Test(
    "B7: a restore that fails at each start changes nothing: the server is asked how the connection stands",
    arguments: Transport.allCases)
  func restoreFails(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world, .sdk)
      let gmail = try await phone.signUp()
      await gmail.connect()
      for _ in 1...2 {
        let later = try Phone(in: world, .sdk, disk: phone.disk)
        await later.sdk.fail(.restorePreviousSignIn, .sdk(.hasNoAuthInKeychain, detail: ""))
        await later.root.start()
        #expect(try later.gmail.state == .connected(address: ada))
        #expect(await later.sdk.calls.isEmpty)
        try await world.backend.useConnection(of: "user@example.com")
      }
      #expect(phone.person.consents == 1)
    }
  }

  @Test(
    "B7: a missing permission is asked for by signing in, when the SDK remembers nobody after a start",
    arguments: Transport.allCases)
  func restoreFailsWhenNeeded(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let (phone, gmail) = try await askedAgain(.hasNoAuthInKeychain, in: world)
      await phone.sdk.signOut()
      await phone.sdk.forgetCalls()
      await gmail.retry()
      #expect(gmail.state == .connected(address: ada))
      #expect(await phone.sdk.calls == [.restorePreviousSignIn, .signIn])
    }
  }

  @Test(
    "no network at the sign-in is told as Google that cannot be reached, and nothing is kept",
    arguments: Transport.allCases)
  func noNetwork(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world, .sdk)
      let gmail = try await phone.signUp()
      world.network.cut(.consent, .beforeArrival)
      await gmail.connect()
      #expect(gmail.state == .failed(Message(.googleUnreachable), canRetry: true))
      await gmail.retry()
      #expect(gmail.state == .connected(address: ada))
    }
  }
}
