import Domain
import Primitives
import TestSupport
import Testing

@testable import AWS

extension StoreTests {
  /// How many requests to AWS each action makes: what `docs/cost.md` reckons with.
  @Suite("Requests to AWS by action")
  struct RequestCountTests {
    private final class Counted {
      let http = WatchedHTTP()
      let product: ProductOnMoto
      let placement: AWSStores.TokenPlacement
      private(set) var rows: [String] = []

      init(_ placement: AWSStores.TokenPlacement) async throws {
        self.placement = placement
        product = ProductOnMoto(try await StoresOnMoto(placement).process(http: http))
      }

      /// Counts the requests of `work`, which may make `most`, on Secrets Manager and DynamoDB.
      func count(_ name: String, most: Int, _ work: () async throws -> Void) async throws {
        // Nothing that was read before helps: another request to us comes to another process.
        product.aws.clock.advance(by: .seconds(60))
        _ = http.takeActions()
        try await work()
        let actions = http.takeActions()
        #expect(actions.count <= most, "\(name), tokens in \(placement.rawValue): \(actions)")
        let kinds = Dictionary(grouping: actions) { $0 }.map { "\($0.key) \($0.value.count)" }.sorted()
        rows.append(
          "| \(name) | \(placement.rawValue) | \(actions.count) | \(kinds.joined(separator: ", ")) |")
      }
    }

    /// Profiles of a user whose secret the older backend made, and removed.
    private func olderBackend(_ counted: Counted) async throws {
      let aws = counted.product.aws
      let bob = try await aws.fixture.add("bob")
      try await aws.putSecret(
        #"{"access_token": "ya29.old", "refresh_token": "1//old", "google_email": "bob@gmail.test"}"#, of: bob
      )
      try await counted.count("Profile, secret of the older backend", most: 2) {
        let profile = try await aws.stores.users.profile(of: bob)
        #expect(profile?.connection?.recordedStatus == .connected)
      }
      try await counted.count("Reconnect over a secret of the older backend", most: 6) {
        _ = try await counted.product.post(bob, counted.product.upload("bob"))
      }
      aws.clock.advance(by: .seconds(3600))
      try await aws.secrets.deleteSecret(SecretsManagerPlace.name(of: bob), .forced)
      try await counted.count("Profile, secret removed by the older backend", most: 2) {
        let profile = try await aws.stores.users.profile(of: bob)
        #expect(profile?.connection?.recordedStatus == .needsReconnect)
      }
      try await counted.count("Reconnect after that", most: 6) {
        _ = try await counted.product.post(bob, counted.product.upload("bob"))
      }
      counted.product.passAnHour()
      counted.product.google.killGrants(of: ProductOnMoto.account("bob"))
      try await counted.count("Refresh that finds the grant dead", most: 16) {
        _ = try? await counted.product.tokens.accessToken(for: bob)
      }
      try await counted.count("Reconnect over a dead secret", most: 6) {
        _ = try await counted.product.post(bob, counted.product.upload("bob"))
      }
    }

    @Test("each action keeps to its budget", arguments: AWSStores.TokenPlacement.allCases)
    func counts(_ placement: AWSStores.TokenPlacement) async throws {
      let counted = try await Counted(placement)
      let (product, users) = (counted.product, counted.product.aws.stores.users)
      var user: UserID?
      try await counted.count("Sign up", most: 8) {
        user = try await product.signUp(
          email: "ada@example.com", name: "Ada", password: Secret("correct horse")
        ).id
      }
      let ada = try #require(user)
      try await counted.count("Sign in", most: 3) {
        _ = try await product.logIn(email: "ada@example.com", password: Secret("correct horse"), peer: "")
      }
      try await counted.count("Profile, not connected", most: 2) { _ = try await users.profile(of: ada) }
      try await counted.count("First connect", most: 4) {
        _ = try await product.post(ada, product.upload("ada"))
      }
      try await counted.count("Profile, connected", most: 2) {
        let profile = try await users.profile(of: ada)
        #expect(profile?.connection?.recordedStatus == .connected)
      }
      try await counted.count("Token that is still good", most: 2) {
        _ = try await product.tokens.accessToken(for: ada)
      }
      try await counted.count("Reconnect, same account", most: 6) {
        _ = try await product.post(ada, product.upload("ada"))
      }
      product.passAnHour()
      try await counted.count("Refresh", most: 11) { _ = try await product.tokens.accessToken(for: ada) }
      try await counted.count("Switch of accounts", most: 6) {
        // What becomes of the old account's grant is counted apart.
        guard try await users.user(ada) != nil else { return }
        let upload = product.upload("eve")
        _ = try await product.aws.stores.vault.read(ada)
        let order = RevocationOrder.sample("order-1", account: "sub-ada")
        try await product.aws.stores.vault.update(ada, account: GoogleSubject("sub-eve")) { stored in
          var tokens = OAuthTokens.sample(account: "sub-eve", access: upload.accessToken.secret.expose())
          tokens.refreshToken = upload.refreshToken
          tokens.clientID = ProductOnMoto.client
          tokens.googleBaseURL = ProductOnMoto.configuration.baseURL
          return (
            VaultChange(
              secret: .put(tokens), connection: .put(.sample(account: "sub-eve")), revocation: order), ()
          )
        }
      }
      try await counted.count("Revocation", most: 9) {
        #expect(
          try await product.aws.stores.revocations.begin("order-1", at: product.aws.clock.now).order != nil)
        try await product.aws.stores.revocations.finish(
          .sample("order-1", account: "sub-ada"), at: product.aws.clock.now, retryAt: nil)
      }
      try await counted.count("Disconnect, with its revocation", most: 15) {
        let outcome = try await product.disconnect(ada)
        #expect(outcome == .revoked)
      }
      try await counted.count("Delete account, not connected", most: 12) {
        try await product.deleteAccount(ada)
      }
      if placement == .secretsManager { try await olderBackend(counted) }
      print("| Action | Tokens in | Requests | Which |\n|---|---|---|---|")
      for row in counted.rows { print(row) }
    }
  }
}
