import Glibc
import Primitives

/// A file or folder that could not be used; safe to show.
package struct FileError: Error, Sendable {
  /// What is wrong with which file, as a sentence.
  package let message: String

  init(_ message: String) { self.message = message }

  init(_ what: String, _ path: String) {
    message = "Cannot \(what) \(path): \(String(cString: strerror(errno)))."
  }
}

/// The few file operations that keys need: whole files, private to their owner, durable.
enum SystemFiles {
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func makeDirectory(_ path: String) throws(FileError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileError("make the folder", path) }
  }

  static func read(_ path: String) throws(FileError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw FileError("read", path) }
    defer { close(file) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = FileIO.readSome(file, into: &buffer)
      guard count >= 0 else { throw FileError("read", path) }
      if count == 0 { return content }
      content += buffer[..<count]
    }
  }

  /// Writes a new file, readable by its owner only, that is there entirely or not at all after a crash.
  static func writeNew(_ path: String, _ content: [UInt8]) throws(FileError) {
    let draft = path + ".new"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileError("write", draft) }
    defer { close(file) }
    guard FileIO.writeAll(file, content), fsync(file) == 0, rename(draft, path) == 0
    else {
      throw FileError("write", path)
    }
    try syncDirectory(of: path)
  }

  static func remove(_ path: String) throws(FileError) {
    guard unlink(path) == 0 else {
      if errno == ENOENT { return }
      throw FileError("remove", path)
    }
    try syncDirectory(of: path)
  }

  private static func syncDirectory(of path: String) throws(FileError) {
    let slash = path.lastIndex(of: "/")
    let directory = open(slash.map { String(path[..<$0]) } ?? ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw FileError("open the folder of", path) }
    defer { close(directory) }
    guard fsync(directory) == 0 else { throw FileError("sync the folder of", path) }
  }
}

/// Holds a lock file while it lives, so that two processes do not make one data directory at once.
struct FileLock: ~Copyable {
  private let file: Int32

  init(_ path: String) throws(FileError) {
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0, flock(file, LOCK_EX) == 0 else { throw FileError("lock", path) }
  }

  /// Lets the next process in; a lock that goes out of scope does so too.
  consuming func release() {}

  deinit { close(file) }
}
