import Dispatch
import Primitives

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A small file for secrets: 0600 in a directory of 0700, replaced in one step that survives a crash.
/// Its blocking calls run on a queue of their own.
public struct PrivateFile: Sendable {
  /// The file's path.
  public let path: String
  private let random: RandomSource
  private let queue = DispatchQueue(label: "io.paypulse.private-file")

  /// The file at `path`, which need not exist.
  public init(path: String, random: RandomSource = .system) {
    self.path = path
    self.random = random
  }

  /// The content; nil when there is no file.
  public func read() async throws(StorageError) -> [UInt8]? {
    try await onQueue { try readNow() }
  }

  /// Replaces the content: a temporary file is written, synced and renamed, then the directory is synced.
  public func write(_ bytes: [UInt8]) async throws(StorageError) {
    try await onQueue { try writeNow(bytes) }
  }

  /// Removes the file, and what an interrupted write may have left; fine when there is none.
  public func remove() async throws(StorageError) {
    try await onQueue { try removeNow() }
  }

  private func onQueue<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws(StorageError) -> Value {
    let result: Result<Value, StorageError> = await withCheckedContinuation { continuation in
      queue.async {
        do { continuation.resume(returning: .success(try work())) } catch {
          continuation.resume(returning: .failure(error as? StorageError ?? .file(path: path, code: EIO)))
        }
      }
    }
    return try result.get()
  }

  private var directory: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private var name: String { path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path }

  private var failure: StorageError { .file(path: path, code: errno) }

  private func readNow() throws -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw failure
    }
    defer { close(descriptor) }
    // Another program, or a careless copy, may have opened it up.
    guard fchmod(descriptor, 0o600) == 0 || errno == EPERM || errno == EROFS else { throw failure }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = FileIO.readSome(descriptor, into: &chunk)
      guard count >= 0 else { throw failure }
      if count == 0 { return content }
      content.append(contentsOf: chunk[..<count])
    }
  }

  private func writeNow(_ bytes: [UInt8]) throws {
    try makeDirectories()
    let temporary = path + ".tmp-" + random.token128()
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure }
    let written =
      fchmod(descriptor, 0o600) == 0 && FileIO.writeAll(descriptor, bytes) && fsync(descriptor) == 0
    let error = errno
    guard close(descriptor) == 0, written, rename(temporary, path) == 0 else {
      let code = written ? errno : error
      unlink(temporary)
      throw StorageError.file(path: path, code: code)
    }
    try syncDirectory()
  }

  private func removeNow() throws {
    for found in FileIO.names(in: directory) where found.hasPrefix(name + ".tmp-") {
      unlink(directory + "/" + found)
    }
    guard unlink(path) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return }
      throw failure
    }
    try syncDirectory()
  }

  /// Makes the directories that are missing, and closes the last one to others.
  private func makeDirectories() throws {
    FileIO.makeDirectories(directory, mode: 0o700)
    guard chmod(directory, 0o700) == 0 || errno == EPERM else { throw failure }
  }

  private func syncDirectory() throws {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure }
    defer { close(descriptor) }
    // Some file systems cannot sync a directory, and say so.
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else { throw failure }
  }
}
