import Primitives
import Testing

@testable import Cryptography

@Suite("Password hashes")
struct PasswordHasherTests {
  private let hasher: PasswordHasher
  init() throws { hasher = try PasswordHasher(cost: 4, threads: 2) }

  @Test("A hash is of its password alone, and of the given cost")
  func roundTrip() async throws {
    let hash = try await hasher.hash(Secret("correct horse"))
    #expect(hash.hasPrefix("$2b$04$") && hash.utf8.count == 60)
    #expect(await hasher.verify(Secret("correct horse"), against: hash))
    #expect(await !hasher.verify(Secret("correct horsf"), against: hash))
    #expect(await !hasher.verify(Secret(""), against: hash))
  }

  @Test("The usual cost is 12")
  func usualCost() async throws {
    let hash = try await PasswordHasher(threads: 1).hash(Secret("x"))
    #expect(hash.hasPrefix("$2b$12$"))
  }

  @Test("Each hash has its own salt")
  func salt() async throws {
    let first = try await hasher.hash(Secret("same"))
    let second = try await hasher.hash(Secret("same"))
    #expect(first.prefix(29) != second.prefix(29))
  }

  /// Made with Python's bcrypt 4.3.0. The last two passwords are 100 and 600 letters.
  @Test(
    "Hashes that Python made are verified",
    arguments: [
      ("correct horse", "$2b$04$1E7d6RU7DAZPLip5yczSteSEjbnqUAfDvBnUAqfuo7/tF5WP7qGvq"),
      ("lösenord", "$2b$12$inqQsTOwa7fH0KzIoh.gheZHoVqVwI05oX2voKtEfYEOeA6oU/pLW"),
      (String(repeating: "a", count: 100), "$2b$04$pUnOD8HDVwrqCRxg46XdDuWiExE0qUvoCOse57b8Cq37tDGLA7RJi"),
      (String(repeating: "a", count: 600), "$2b$04$IdMbbQ5FHf.IPCJP8cGGZuUBrkBv/PqdtK9oDSfAiX5.GPOR.bcpq"),
    ])
  func python(password: String, hash: String) async {
    #expect(await hasher.verify(Secret(password), against: hash))
    #expect(await !hasher.verify(Secret("b" + password), against: hash))
  }

  @Test("The older names of the same function are verified", arguments: ["$2a$", "$2y$"])
  func otherPrefixes(prefix: String) async {
    let hash = prefix + "04$1E7d6RU7DAZPLip5yczSteSEjbnqUAfDvBnUAqfuo7/tF5WP7qGvq"
    #expect(await hasher.verify(Secret("correct horse"), against: hash))
  }

  @Test("A password counts up to its 72nd byte")
  func truncation() async throws {
    let password = String(repeating: "ö", count: 36)
    let hash = try await hasher.hash(Secret(password + "one tail"))
    #expect(await hasher.verify(Secret(password + "another"), against: hash))
    #expect(await !hasher.verify(Secret(String(password.dropLast())), against: hash))
  }

  @Test("A password with a NUL is not hashed and never matches")
  func nul() async throws {
    let hash = try await hasher.hash(Secret("before"))
    #expect(await !hasher.verify(Secret("before\0after"), against: hash))
    #expect(await !hasher.verify(Secret("before\0"), against: hash))
    await #expect(throws: PasswordError.containsNUL) { try await hasher.hash(Secret("before\0after")) }
  }

  @Test(
    "What is no bcrypt hash matches nothing",
    arguments: [
      "", "*", "$2b$", "$2b$04$", "$2b$04$1E7d6RU7DAZPLip5yczSte",
      "$2x$04$1E7d6RU7DAZPLip5yczSteSEjbnqUAfDvBnUAqfuo7/tF5WP7qGvq",
      "$2b$99$1E7d6RU7DAZPLip5yczSteSEjbnqUAfDvBnUAqfuo7/tF5WP7qGvq", "$1$salt$qJH7.N4xYta3aEG/dfqo/0",
      "$2b$04$1E7d6RU7DAZPLip5yczSteSEjbnqUAfDvBnUAqfuo7/tF5WP7qGvqx",
      "$2b$04$1E7d6RU7DAZPLip5yczSteSEjbnqUAfDvBnUAqfuo7/tF5WP7qGv", "correct horse",
    ])
  func noHash(hash: String) async {
    #expect(await !hasher.verify(Secret("correct horse"), against: hash))
  }

  @Test("Many callers wait their turn")
  func queue() async throws {
    let hasher = hasher
    let hash = try await hasher.hash(Secret("7"))
    await withTaskGroup(of: (Int, Bool).self) { group in
      for number in 0..<50 {
        group.addTask { (number, await hasher.verify(Secret("\(number)"), against: hash)) }
      }
      for await (number, matches) in group { #expect(matches == (number == 7)) }
    }
  }

  @Test("A user who does not exist costs what a wrong password costs")
  func nobody() async throws {
    // The same rounds over a whole hash: as many as a wrong password has. (How long they take is the machine's affair.)
    let hasher = try PasswordHasher(cost: 5, threads: 1)
    #expect(hasher.nobody.hasPrefix("$2b$05$"))
    let computed = Bcrypt().hash(Array("wrong".utf8), setting: hasher.nobody)
    #expect(computed?.count == Bcrypt.hashLength)
    #expect(computed != Array(hasher.nobody.utf8))
  }
}
