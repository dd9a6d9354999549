extension String {
  /// Whether every character is a visible ASCII one (RFC 5234 appendix B.1, VCHAR): what a token, a URL or a name of a
  /// protocol consists of.
  public var isVisibleASCII: Bool {
    withContiguousUTF8 { bytes in
      let raw = UnsafeRawBufferPointer(bytes)
      var index = 0
      while index + 8 <= raw.count {
        let next = EightBytes(raw, at: index)
        if next.haveControl || next.haveHighBit || next.have(0x20) || next.have(0x7F) { return false }
        index += 8
      }
      return bytes[index...].allSatisfy { (0x21...0x7E).contains($0) }
    }
  }
}
