import Domain
import Primitives
import TestSupport
import Testing

@testable import SQLite

@Suite("A sealed secret")
struct SealedSecretTests {
  @Test("is known again by its version and every byte")
  func sameValueOnly() {
    let secret = SealedSecret(.sample(), value: [1, 2, 3], version: "v")
    #expect(secret.isStored(as: [1, 2, 3], version: "v"))
    #expect(!secret.isStored(as: [1, 2, 4], version: "v"))
    #expect(!secret.isStored(as: [1, 2], version: "v"))
    #expect(!secret.isStored(as: [1, 2, 3, 4], version: "v"))
    #expect(!secret.isStored(as: [1, 2, 3], version: "w"))
  }
}
