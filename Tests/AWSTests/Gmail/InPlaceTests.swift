import Domain
import FoundationEssentials
import Glibc
import Primitives
import TestSupport
import Testing

@testable import AWS

extension StoreTests {
  /// Taking over from the older backend, beside it, and giving back to it.
  @Suite("Secrets of the older backend")
  struct InPlaceTests {
    private let ada = UserID("user_ada")

    private func product() async throws -> ProductOnMoto {
      let product = ProductOnMoto(try await StoresOnMoto(.secretsManager))
      _ = try await product.aws.fixture.add("ada")
      return product
    }

    /// A value as the older backend writes it: its keys alone, an empty `google_user_id`, naive times.
    private func oldSecret(
      access: String, refresh: String?, expiresAt: Timestamp, email: String = "ada@gmail.test"
    )
      -> String
    {
      let refresh = refresh.map { #""refresh_token": "\#($0)", "# } ?? ""
      return """
        {"access_token": "\(access)", "expires_at": "\(expiresAt.naiveISO8601)", "expires_in": 3600, \
        "scope": "https://www.googleapis.com/auth/gmail.readonly https://www.googleapis.com/auth/userinfo.email", \
        "token_type": "Bearer", "created_at": "\((expiresAt - .seconds(3600)).naiveISO8601)", \(refresh)\
        "google_user_id": "", "google_email": "\(email)", "google_name": "Ada L\u{f6}v", \
        "google_verified_email": false}
        """
    }

    private func verdict(on text: String, at now: Timestamp) throws -> String {
      let path = FileManager.default.temporaryDirectory.path + "/paypulse-" + RandomSource.system.token128()
      try Data(text.utf8).write(to: URL(filePath: path))
      defer { try? FileManager.default.removeItem(atPath: path) }
      let root = repositoryRoot()
      let command = "\(root)/.venv/bin/python \(root)/acceptance/aws/reference_reader.py"
      let pipe = try #require(popen("\(command) \(path) \(now.naiveISO8601)", "r"))
      var buffer = [CChar](repeating: 0, count: 1024)
      let line = fgets(&buffer, Int32(buffer.count), pipe)
      pclose(pipe)
      guard line != nil else { return "it threw" }
      return String(
        decoding: buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test("an old secret is read, shown as connected, refreshed, and is then one that either backend reads")
    func takenOver() async throws {
      let product = try await product()
      let (google, now) = (product.google, product.aws.clock.now)
      let grant = google.consent(ProductOnMoto.account("ada"), clientID: ProductOnMoto.client, at: now)
      let old = oldSecret(
        access: grant.access.secret.expose(), refresh: grant.refresh.secret.expose(),
        expiresAt: now + .microseconds(7))
      #expect(try verdict(on: old, at: now) == "ok")
      try await product.aws.putSecret(old, of: ada)
      let profile = try await product.aws.stores.users.profile(of: ada)
      #expect(profile?.connection?.isConnected(at: now) == true)
      #expect(profile?.connection?.account.email == "ada@gmail.test")
      #expect(google.honours(try await product.tokens.accessToken(for: ada), at: now))
      let text = try #require(try await product.aws.secretText(of: ada))
      #expect(try verdict(on: text, at: now) == "ok")
      let members = try #require(JSONValue(json: Array(text.utf8))?.object)
      #expect(members["refresh_token"]?.string == grant.refresh.secret.expose())
      #expect(members["google_name"]?.string == "Ada L\u{f6}v")
      #expect(members["client_id"]?.string == ProductOnMoto.client.rawValue)
    }

    @Test(
      "tokens that a device uploads, with and without a refresh token, are ones that the older backend reads")
    func givenBack() async throws {
      for withRefreshToken in [true, false] {
        let product = try await product()
        _ = try await product.post(ada, product.upload("ada", withRefreshToken: withRefreshToken))
        let text = try #require(try await product.aws.secretText(of: ada))
        #expect(try verdict(on: text, at: product.aws.clock.now) == "ok")
        let members = JSONValue(json: Array(text.utf8))?.object
        #expect((members?["refresh_token"] != nil) == withRefreshToken)
      }
    }

    @Test(
      "what the older backend makes of our secret, with its keys alone, is what stands, and the record follows"
    )
    func olderBackendWrites() async throws {
      let product = try await product()
      _ = try await product.post(ada, product.upload("ada"))
      let later = product.aws.clock.now + .seconds(7200)
      try await product.aws.putSecret(
        oldSecret(access: "ya29.old", refresh: "1//old", expiresAt: later), of: ada)
      let snapshot = try await product.aws.stores.vault.read(ada)
      #expect(snapshot.secret.tokens?.accessToken.secret.expose() == "ya29.old")
      #expect(snapshot.connection?.account == ProductOnMoto.account("ada"))
      #expect(snapshot.connection?.accessExpiresAt == later)
      #expect(snapshot.secret.grantID == snapshot.connection?.grantID)
      // Another account: the switch is noticed by whoever connects next.
      try await product.aws.putSecret(
        oldSecret(access: "ya29.eve", refresh: "1//eve", expiresAt: later, email: "eve@gmail.test"), of: ada)
      #expect(
        try await product.aws.stores.users.profile(of: ada)?.connection?.account.email == "eve@gmail.test")
      let reply = try await product.post(ada, product.upload("ada"))
      #expect(reply.kind == .switched && reply.previousGoogleEmail == "eve@gmail.test")
    }

    @Test("a secret that the older backend removed is not connected, and its identity stays")
    func olderBackendRemoves() async throws {
      let product = try await product()
      _ = try await product.post(ada, product.upload("ada"))
      product.passAnHour()
      try await product.aws.secrets.deleteSecret(SecretsManagerPlace.name(of: ada), .forced)
      let connection = try await product.aws.stores.users.profile(of: ada)?.connection
      #expect(connection?.status(at: product.aws.clock.now) == .needsReconnect)
      #expect(try await product.aws.stores.vault.read(ada).secret.isNone)
      let reply = try await product.post(ada, product.upload("eve"))
      #expect(reply.kind == .switched && reply.previousGoogleEmail == "ada@gmail.test")
      #expect(try await product.aws.secretText(of: ada) != nil)
    }

    @Test("an old password secret is moved aside when a device connects, whole")
    func passwordSecret() async throws {
      let product = try await product()
      let old = #"{"GMAIL_USER": "a@gmail.com", "GMAIL_PASSWORD": "p", "GMAIL_IMAP_URL": "imap.gmail.com"}"#
      try await product.aws.putSecret(old, of: ada)
      let profile = try await product.aws.stores.users.profile(of: ada)
      #expect(profile?.connection?.status(at: product.aws.clock.now) == .needsReconnect)
      #expect(profile?.connection?.reason == .unreadable)
      let version = try await product.aws.secrets.secretValue(SecretsManagerPlace.name(of: ada)).versionID
      #expect(try await product.post(ada, product.upload("ada")).kind == .first)
      #expect(try await product.aws.stores.vault.read(ada).secret.tokens != nil)
      let kept = "gmail/aside/user_ada/" + version
      #expect(try await product.aws.secrets.secretValue(kept).text?.expose() == old)
      // It is destroyed with its user, and not before.
      try await product.deleteAccount(ada)
      await #expect(throws: AWSError.self) { try await product.aws.secrets.secretValue(kept) }
      #expect(try await product.aws.secretText(of: ada) == nil)
    }

    @Test("a secret that someone scheduled for deletion is restored by a connect")
    func scheduledByHand() async throws {
      let product = try await product()
      _ = try await product.post(ada, product.upload("ada"))
      try await product.aws.secrets.deleteSecret(SecretsManagerPlace.name(of: ada), .afterWindow(days: 7))
      #expect(try await product.aws.stores.vault.read(ada).secret.isNone)
      #expect(try await product.post(ada, product.upload("ada")).kind == .same)
      #expect(try await product.aws.secretText(of: ada) != nil)
    }

    @Test("a dead secret is scheduled for deletion, restored by a reconnect, or by the operator")
    func deadSecret() async throws {
      let product = try await product()
      _ = try await product.post(ada, product.upload("ada"))
      for reconnects in [true, false] {
        product.passAnHour()
        product.google.killGrants(of: ProductOnMoto.account("ada"))
        await #expect(throws: TokenRefusal.needsReconnect(.invalidGrant)) {
          try await product.tokens.accessToken(for: ada)
        }
        let name = SecretsManagerPlace.name(of: ada)
        #expect(try await product.aws.secrets.describeSecret(name).isScheduledForDeletion)
        if reconnects {
          _ = try await product.post(ada, product.upload("ada"))
        } else {
          product.google.reviveGrants(of: ProductOnMoto.account("ada"))
          try await product.restore(email: "ada@example.com")
        }
        #expect(try await product.aws.secretText(of: ada) != nil)
        let now = product.aws.clock.now
        #expect(product.google.honours(try await product.tokens.accessToken(for: ada), at: now))
      }
    }

    @Test("what is aside goes for good when its week is over, and the record with it")
    func asideEnds() async throws {
      let product = try await product()
      _ = try await product.post(ada, product.upload("ada"))
      product.passAnHour()
      product.google.killGrants(of: ProductOnMoto.account("ada"))
      _ = try? await product.tokens.accessToken(for: ada)
      product.aws.clock.advance(by: SweepGrants.asideLifetime + .seconds(1))
      await product.sweep.once()
      await #expect(throws: AWSError.self) {
        try await product.aws.secrets.describeSecret(SecretsManagerPlace.name(of: ada))
      }
      #expect(try await product.aws.recordItem(of: ada)?["Aside"] == nil)
      await #expect(throws: RestoreConnection.Refusal.nothingAside) {
        try await product.restore(email: "ada@example.com")
      }
    }
  }
}
