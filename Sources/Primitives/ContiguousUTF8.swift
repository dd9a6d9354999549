extension String {
  /// What `body` makes of the text's UTF-8, which is copied only where there is no such memory to look at: a string of
  /// Swift's own has it.
  @inlinable public func withContiguousUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result
  {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = self
    return copy.withUTF8(body)
  }
}
