#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reading and writing that a signal does not cut short.
enum FileIO {
  /// Fills `chunk` as far as one read goes: the number of bytes, 0 at the end, below 0 with `errno`.
  static func readSome(_ descriptor: Int32, into chunk: inout [UInt8]) -> Int {
    uninterrupted {
      chunk.withUnsafeMutableBytes { buffer in read(descriptor, buffer.baseAddress, buffer.count) }
    }
  }

  /// Writes all of `bytes`; false with `errno` when that fails.
  static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = uninterrupted {
        bytes.withUnsafeBytes { buffer in
          write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        }
      }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  private static func uninterrupted(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}
