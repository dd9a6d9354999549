import Glibc
import Primitives

/// A small file on this machine.
enum TextFile {
  private static let largest = 64 << 10

  /// Its bytes; nil when it cannot be read or is larger than 64 KiB. Blocks no longer than a local file system does.
  static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var (all, chunk): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 4096))
    while true {
      let count = FileIO.readSome(descriptor, into: &chunk)
      if count == 0 { return all }
      guard count > 0, all.count + count <= largest else { return nil }
      all += chunk[..<count]
    }
  }
}
