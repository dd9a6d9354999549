import Domain
import Primitives
import TestSupport
import Testing

@testable import AWS

extension StoreTests {
  /// Users whom the older backend made, and what it finds of ours.
  @Suite("Users of the older backend")
  struct UsersInPlaceTests {
    private func item(_ id: String, email: String, on day: String = "2025-07-01") -> DynamoDBItem {
      [
        "UserID": .string(id), "Email": .string(email), "Name": "Test Testsson",
        "Password": "$2b$12$C6UzMDM.H6dfI/f/IKcEeO7ZBH1pRYhMqYqNkzYBGHgKZvGyJkbZe", "CreatedOn": .string(day),
        "CreatedAt": "08:09:10.000123", "last_retail_invoice_fetch": "2025-07-02T00:00:00+00:00",
      ]
    }

    private func aws(_ items: DynamoDBItem...) async throws -> StoresOnMoto {
      let aws = try await StoresOnMoto(.secretsManager)
      for item in items { try await aws.dynamoDB.putItem("Users", item) }
      return aws
    }

    @Test("one is found with their bcrypt hash and times, and sign-in locks their address")
    func found() async throws {
      let aws = try await aws(item("user_1", email: "T@example.se"))
      #expect(try await aws.dynamoDB.getItem("PayPulse", key: ItemKey.email("t@example.se")) == nil)
      let user = try await aws.stores.users.user(withEmail: EmailAddress(lookingUp: "T@example.se"))
      #expect(user?.id == UserID("user_1") && user?.name == "Test Testsson")
      #expect(user?.passwordHash.expose().hasPrefix("$2b$12$") == true)
      #expect(user?.createdAt == Timestamp(iso8601: "2025-07-01T08:09:10.000123"))
      let lock = try await aws.dynamoDB.getItem("PayPulse", key: ItemKey.email("t@example.se"))
      #expect(lock?["UserID"] == "user_1")
      // From now on the address is theirs in any case.
      #expect(
        try await aws.stores.users.user(withEmail: EmailAddress(lookingUp: "t@EXAMPLE.se"))?.id == user?.id)
      let other = User(
        id: UserID("user_2"), email: "t@example.se", name: "", passwordHash: Secret("x"),
        createdAt: StoreFixture.noon)
      #expect(try await !aws.stores.users.add(other))
    }

    @Test("an address that one of them has as typed is taken, locked or not")
    func taken() async throws {
      let aws = try await aws(item("user_1", email: "t@example.se"))
      for email in ["t@example.se", "T@example.se"] {
        let other = User(
          id: UserID("user_2"), email: email, name: "", passwordHash: Secret("x"),
          createdAt: StoreFixture.noon)
        #expect(try await !aws.stores.users.add(other))
      }
    }

    @Test(
      "two of them whose addresses differ in case alone each sign in with their own, and can each be removed")
    func twins() async throws {
      let aws = try await aws(item("user_1", email: "T@example.se"), item("user_2", email: "t@example.se"))
      for (address, id) in [
        ("T@example.se", "user_1"), ("t@example.se", "user_2"), ("T@example.se", "user_1"),
      ] {
        let user = try await aws.stores.users.user(withEmail: EmailAddress(lookingUp: address))
        #expect(user?.id.rawValue == id)
      }
      #expect(try await aws.stores.users.remove(UserID("user_2")))
      #expect(try await aws.stores.users.user(withEmail: EmailAddress(lookingUp: "T@example.se")) != nil)
      #expect(try await aws.stores.users.remove(UserID("user_1")))
      #expect(try await aws.dynamoDB.getItem("PayPulse", key: ItemKey.email("t@example.se")) == nil)
    }

    @Test("of two with one address the first is meant, each time")
    func duplicates() async throws {
      let aws = try await aws(
        item("user_1", email: "t@example.se", on: "2025-07-02"), item("user_2", email: "t@example.se"))
      for _ in 0..<3 {
        let user = try await aws.stores.users.user(withEmail: EmailAddress(lookingUp: "t@example.se"))
        #expect(user?.id == UserID("user_2"))
      }
    }

    @Test("a user of ours has the older backend's attributes, all texts, and its forms of time")
    func written() async throws {
      let aws = try await aws()
      let user = User(
        id: UserID("user_1"), email: "Ada@Example.com", name: "Ada", passwordHash: Secret("$2b$12$x"),
        createdAt: Timestamp(seconds: 1_750_000_000))
      #expect(try await aws.stores.users.add(user))
      let item = try await aws.dynamoDB.getItem("Users", key: ItemKey.user(user.id))
      #expect(
        item == [
          "UserID": "user_1", "Email": "Ada@Example.com", "Name": "Ada", "Password": "$2b$12$x",
          "CreatedOn": "2025-06-15", "CreatedAt": "15:06:40.000000",
        ])
    }

    @Test("a new password leaves what else is known of a user as it was")
    func password() async throws {
      let old = item("user_1", email: "t@example.se")
      let aws = try await aws(old)
      try await aws.stores.users.setPassword(
        Secret("$2b$12$new"), of: UserID("user_1"), sessionsValidFrom: StoreFixture.noon)
      var new = old
      new["Password"] = "$2b$12$new"
      new["SessionsValidFrom"] = .timestamp(StoreFixture.noon)
      #expect(try await aws.dynamoDB.getItem("Users", key: ItemKey.user(UserID("user_1"))) == new)
    }

    @Test("the lock of a user who is gone holds nobody off")
    func staleLock() async throws {
      let aws = try await aws()
      var lock = ItemKey.email("ada@example.com")
      lock["UserID"] = "user_gone"
      try await aws.dynamoDB.putItem("PayPulse", lock)
      #expect(try await aws.stores.users.user(withEmail: EmailAddress(lookingUp: "ada@example.com")) == nil)
      #expect(try await aws.stores.users.add(.sample("ada")))
      #expect(
        try await aws.stores.users.user(withEmail: EmailAddress(lookingUp: "ADA@example.com"))?.id
          == UserID("user_ada"))
    }

    @Test("of two processes that sign one address up at once, one makes a user")
    func twoSignUps() async throws {
      let aws = try await aws()
      let other = try aws.process()
      async let first = aws.stores.users.add(.sample("ada"))
      let twin = User(
        id: UserID("user_twin"), email: "ADA@example.com", name: "", passwordHash: Secret("x"),
        createdAt: StoreFixture.noon)
      async let second = other.stores.users.add(twin)
      #expect(try await [first, second].filter(\.self).count == 1)
      #expect(try await aws.stores.vault.connections().count == 1)
    }
  }
}
