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
    var index = 0
    while true {
      let next = EightBytes(bytes, at: index)
      let marks = next.controlMarks | next.marks(of: 0x7F) | next.marks(of: first) | next.marks(of: second)
      if EightBytes.hasMark(marks) { return true }
      guard index < count - 8 else { return false }
      // The last eight bytes hold what is left, and some that were looked at before.
      index = Swift.min(index + 8, count - 8)
    }
  }
}
