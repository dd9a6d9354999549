import Domain
import Primitives
import TestSupport
import Testing

@testable import AWS

extension StoreTests {
  @Suite("Users who are removed")
  struct RemovedUserTests {
    @Test(
      "nothing that names them is left, but what Google is owed", arguments: AWSStores.TokenPlacement.allCases
    )
    func nothingLeft(_ placement: AWSStores.TokenPlacement) async throws {
      let product = ProductOnMoto(try await StoresOnMoto(placement))
      let (aws, ada) = (product.aws, try await product.aws.fixture.add("ada"))
      // A value that does not open is kept aside; a grant dies, and is aside too.
      _ = try await product.post(ada, product.upload("ada"))
      try await aws.fixture.corruptSecret(ada)
      _ = try await product.post(ada, product.upload("ada"))
      product.passAnHour()
      product.google.killGrants(of: ProductOnMoto.account("ada"))
      _ = try? await product.tokens.accessToken(for: ada)
      #expect(try await aws.stores.vault.read(ada).aside != nil)
      product.google.fail(.revoke, .unavailable(retryAfter: nil))
      try await product.deleteAccount(ada)
      let items = try await aws.dynamoDB.items(of: DynamoDBQuery(aws.tables.own, keys: nil))
      for item in items {
        #expect(!"\(item)".contains("user_ada") && !"\(item)".contains("ada@"))
      }
      let kinds = items.compactMap { $0["SK"]?.string?.prefix { $0 != "#" } }
      #expect(Set(kinds).isSubset(of: ["ORDER", "ACCOUNT", "MINUTE"]) && kinds.contains("ORDER"))
      #expect(try await aws.dynamoDB.items(of: DynamoDBQuery(aws.tables.users, keys: nil)).isEmpty)
      await #expect(throws: AWSError.self) {
        try await aws.secrets.describeSecret(SecretsManagerPlace.name(of: ada))
      }
    }

    @Test("an address of any length is one that nobody has")
    func longAddress() async throws {
      let aws = try await StoresOnMoto(.secretsManager)
      let address = EmailAddress(lookingUp: String(repeating: "a", count: 60_000) + "@example.com")
      #expect(try await aws.stores.users.user(withEmail: address) == nil)
      #expect(try await aws.stores.users.user(withEmail: EmailAddress(lookingUp: "")) == nil)
    }
  }
}
