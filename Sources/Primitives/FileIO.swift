#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reading and writing that a signal does not cut short, for everything that has a descriptor to deal with.
package enum FileIO {
  /// Fills `chunk` as far as one read goes: the number of bytes, 0 at the end, below 0 with `errno`.
  package static func readSome(_ descriptor: Int32, into chunk: inout [UInt8]) -> Int {
    uninterrupted {
      chunk.withUnsafeMutableBytes { buffer in read(descriptor, buffer.baseAddress, buffer.count) }
    }
  }

  /// Writes all of `bytes`; false with `errno` when that fails.
  package static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { writeAll(descriptor, $0) }
  }

  /// Writes all of `text` at once: whoever started a program waits for its lines. A reader that is gone needs no
  /// more, and there is nowhere to say so.
  package static func writeText(_ text: String, to descriptor: Int32) {
    text.withContiguousUTF8 { _ = writeAll(descriptor, UnsafeRawBufferPointer($0)) }
  }

  private static func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = uninterrupted {
        write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
      }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  /// Makes the directory at `path` and those above it that are missing. Those that exist, or that a sandbox hides,
  /// fail in several ways, so what counts is whether the caller can then use the last.
  package static func makeDirectories(_ path: String, mode: mode_t) {
    var made = path.hasPrefix("/") ? "" : "."
    for component in path.split(separator: "/") {
      made += "/" + component
      mkdir(made, mode)
    }
  }

  /// The names of what lies in the directory at `path`; none when there is no such directory.
  package static func names(in path: String) -> [String] {
    guard let listing = opendir(path) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      // Read in place: a record ends with its name, before the end of the declared array.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
      let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      names.append(String(cString: start))
    }
    return names.filter { $0 != "." && $0 != ".." }
  }

  private static func uninterrupted(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}
