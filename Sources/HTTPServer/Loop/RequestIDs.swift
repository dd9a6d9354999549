/// Short names for requests, unlikely to meet again. They tell lines of a log apart and guard nothing,
/// so one seed from the system is enough.
struct RequestIDs {
  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
  private var state: UInt64

  /// Names that depend on `seed` alone.
  init(seed: UInt64) { state = seed }

  /// 64 bits in Crockford's base 32.
  mutating func next() -> String {
    var bits = nextBits()
    return String(unsafeUninitializedCapacity: 13) { text in
      for index in 0..<13 {
        text[index] = Self.digits[Int(bits & 31)]
        bits >>= 5
      }
      return 13
    }
  }

  /// SplitMix64 (Steele, Lea and Flood 2014).
  private mutating func nextBits() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
