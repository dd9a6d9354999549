import Primitives
import Synchronization
import Testing

@testable import Cryptography

@Suite("Sealing")
struct SealerTests {
  private let context: EncryptionContext = ["user": "u1", "secret": "gmail/user/u1", "version": "v1"]
  private let content = Array(#"{"refresh_token":"1//x"}"#.utf8)
  private let sealer: Sealer
  private static let golden = """
    01528463016e1d3ba8000102030405060708090a0bbba7972524fb007ef663edcf2c64c6acbed77919e184531769d3229bbd
    9a23add63c152003c687cf501252a563dc73ee6465666768696a6b6c6d6e6f2f74b2021c875a655d2132318fe8e62fb7d533
    b83fd4
    """

  init() throws { sealer = Sealer(keys: try Self.ring(1)) }

  /// A ring of keys, each of 32 times one byte.
  private static func ring(_ fillings: UInt8...) throws -> KeyRing {
    let lines = fillings.map { Base64URL.encode([UInt8](repeating: $0, count: 32)) }
    return try KeyRing(file: Array(lines.joined(separator: "\n").utf8))
  }

  @Test("A sealed value opens to its content", arguments: [0, 1, 15, 16, 17, 1000, 100_000])
  func roundTrip(length: Int) throws {
    let content = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
    let sealed = try sealer.seal(content, context: context)
    #expect(sealed.count == length + 97)
    #expect(try sealer.open(sealed, context: context) == content)
  }

  @Test("The same content is sealed differently each time, under keys and nonces of its own")
  func fresh() throws {
    let values = try (0..<64).map { _ in try sealer.seal(content, context: context) }
    for part in [Envelope.Part.dataKey.nonce, Envelope.Part.content.nonce, 21..<69, 81..<105] {
      #expect(Set(values.map { Array($0[part]) }).count == 64)
    }
    #expect(values.allSatisfy { value in !value.indices.contains { value[$0...].starts(with: content) } })
  }

  @Test("The bytes are those of the described layout, so that older values stay readable")
  func layout() throws {
    // Made by an independent implementation of AES-256-GCM; see the layout in Envelope.swift.
    let sealed = bytes(hex: Self.golden)
    #expect(try sealer.open(sealed, context: ["a": "b"]) == Array("golden".utf8))
  }

  @Test("A value does not open in another context")
  func otherContext() throws {
    let sealed = try sealer.seal(content, context: context)
    let others: [EncryptionContext] = [
      [:], ["user": "u2", "secret": "gmail/user/u1", "version": "v1"],
      ["user": "u1", "secret": "gmail/user/u1", "version": "v0"],
      ["secret": "gmail/user/u1", "user": "u1", "version": "v1"], ["user": "u1", "secret": "gmail/user/u1"],
      ["user": "u1", "secret": "gmail/user/u1", "version": "v1", "more": ""],
      ["users": "u1", "ecret": "gmail/user/u1", "version": "v1"],
      ["user": "u1secret", "": "gmail/user/u1", "version": "v1"],
    ]
    for other in others {
      #expect(throws: SealError.notAuthentic) { try sealer.open(sealed, context: other) }
    }
  }

  @Test("No bit of a value can be changed")
  func bitFlips() throws {
    let sealed = try sealer.seal(content, context: context)
    for bit in 0..<sealed.count * 8 {
      var changed = sealed
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: SealError.self) { try sealer.open(changed, context: context) }
    }
  }

  @Test("A value cut anywhere, or extended, does not open")
  func truncation() throws {
    let sealed = try sealer.seal(content, context: context)
    for length in 0..<sealed.count {
      let expected: SealError = length < 97 ? .malformed : .notAuthentic
      #expect(throws: expected) { try sealer.open(Array(sealed.prefix(length)), context: context) }
    }
    #expect(throws: SealError.notAuthentic) { try sealer.open(sealed + [0], context: context) }
  }

  @Test("The parts of two values cannot be combined")
  func mixing() throws {
    let first = try sealer.seal(content, context: context)
    let second = try sealer.seal(content, context: context)
    for cut in [9, 21, 69, 81] {
      let mixed = Array(first[..<cut] + second[cut...])
      let result = Result { try sealer.open(mixed, context: context) }
      // Up to the key's identifier both values are alike.
      #expect(cut == 9 ? (try? result.get()) == content : (try? result.get()) == nil)
    }
  }

  @Test("A value of another format version is not one that can be read")
  func version() throws {
    var sealed = try sealer.seal(content, context: context)
    sealed[0] = 2
    #expect(throws: SealError.malformed) { try sealer.open(sealed, context: context) }
  }

  @Test("The last key seals, and the older ones still open")
  func rotation() throws {
    let old = try sealer.seal(content, context: context)
    let rotated = Sealer(keys: try Self.ring(1, 2))
    #expect(try rotated.open(old, context: context) == content)
    let new = try rotated.seal(content, context: context)
    let id = try Self.ring(2).current.id
    #expect(throws: SealError.unknownKey(id)) { try sealer.open(new, context: context) }
  }

  @Test("An unknown key makes the key file be read again, once, and the new ring stays")
  func reload() throws {
    let reads = Mutex(0)
    let rotated = try Self.ring(1, 2)
    let reloading = Sealer(keys: try Self.ring(1)) {
      reads.withLock { $0 += 1 }
      return rotated
    }
    let sealed = try Sealer(keys: Self.ring(2)).seal(content, context: context)
    #expect(try reloading.open(sealed, context: context) == content)
    #expect(try reloading.open(sealed, context: context) == content)
    #expect(reads.withLock { $0 } == 1)
    #expect(Array(try reloading.seal(content, context: context)[Envelope.keyID]) == rotated.current.id.bytes)
  }

  @Test("A key that the file does not hold either stays unknown, and harms no other value")
  func unknownKey() throws {
    let reads = Mutex(0)
    let reloading = Sealer(keys: try Self.ring(1)) {
      reads.withLock { $0 += 1 }
      return nil
    }
    let foreign = try Sealer(keys: Self.ring(3)).seal(content, context: context)
    let id = try Self.ring(3).current.id
    #expect(throws: SealError.unknownKey(id)) { try reloading.open(foreign, context: context) }
    #expect(reads.withLock { $0 } == 1)
    let own = try sealer.seal(content, context: context)
    #expect(try reloading.open(own, context: context) == content)
  }

  @Test("Many tasks seal and open at the same time")
  func concurrent() async throws {
    let sealer = sealer
    let context = context
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<64 {
        group.addTask {
          let content = [UInt8](repeating: UInt8(number), count: 100)
          return try sealer.open(sealer.seal(content, context: context), context: context) == content
        }
      }
      for try await same in group { #expect(same) }
    }
  }
}
