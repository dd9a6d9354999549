extension UnsafeBufferPointer<UInt8> {
  /// Whether a control character (below U+0020, or U+007F), `first` or `second` is among the bytes.
  ///
  /// Every log line, reply and header field is looked through for those, so it goes by eight bytes at a time.
  public func containsControl(or first: UInt8 = 0x7F, _ second: UInt8 = 0x7F) -> Bool {
    guard count >= 8 else {
      for byte in self where byte < 0x20 || byte == 0x7F || byte == first || byte == second { return true }
      return false
    }
    let bytes = UnsafeRawBufferPointer(self)
    let (first, second) = (Self.repeated(first), Self.repeated(second))
    func found(at index: Int) -> Bool {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      return Self.below0x20(word) | Self.zero(word ^ 0x7F7F_7F7F_7F7F_7F7F) | Self.zero(word ^ first)
        | Self.zero(word ^ second) != 0
    }
    var index = 0
    while index + 8 <= count {
      if found(at: index) { return true }
      index += 8
    }
    // The last eight bytes hold what is left, and some that were looked at before.
    return found(at: count - 8)
  }

  private static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  /// Not 0 exactly when a byte of `word` is below 0x20: subtracting carries into its highest bit.
  private static func below0x20(_ word: UInt64) -> UInt64 {
    (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
  }

  /// Not 0 exactly when a byte of `word` is 0.
  private static func zero(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }
}
