import Glibc

@testable import HTTPServer

/// The `openssl` command, as a second implementation of what is tested. Blocks.
enum OpenSSLCommand {
  struct Failure: Error { let status: Int32 }

  /// Makes a key and a certificate for 127.0.0.1 in `directory`, replacing those there.
  static func makeCertificate(in directory: TemporaryDirectory, name: String) throws -> TLSFiles {
    let files = TLSFiles(certificate: directory.path("\(name).crt"), key: directory.path("\(name).key"))
    let status = try run(
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
        "-subj",
        "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", files.key, "-out",
        files.certificate,
      ], input: "", output: "/dev/null", in: directory)
    guard status == 0 else { throw Failure(status: status) }
    return files
  }

  /// Sends `request` over TLS, trusting `authority` alone; what came until the server ended, and whether
  /// the command was content.
  static func exchange(
    _ request: String, _ server: HTTPServer, trusting authority: String, options: [String] = [],
    in directory: TemporaryDirectory
  ) throws -> (reply: String, isGood: Bool) {
    let output = directory.path("reply")
    let status = try run(
      [
        "s_client", "-connect", "127.0.0.1:\(server.address.port)", "-CAfile", authority,
        "-verify_return_error",
        "-verify_ip", "127.0.0.1", "-quiet",
      ] + options, input: request, output: output, in: directory)
    return (try directory.contents("reply"), status == 0)
  }

  private static func run(
    _ arguments: [String], input: String, output: String, in directory: TemporaryDirectory
  ) throws -> Int32 {
    try directory.write(input, to: "input")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, directory.path("input"), O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var process = pid_t()
    var pointers = (["openssl"] + arguments).map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    let result = posix_spawnp(&process, "openssl", &actions, nil, &pointers, environ)
    guard result == 0 else { throw Failure(status: result) }
    var status: Int32 = 0
    guard waitpid(process, &status, 0) == process else { throw Failure(status: errno) }
    return status
  }
}

/// A directory that goes with its owner.
final class TemporaryDirectory: Sendable {
  private let root: String

  init() throws {
    var template = Array("/tmp/httpserver-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw OpenSSLCommand.Failure(status: errno) }
    root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in ["a.crt", "a.key", "b.crt", "b.key", "input", "reply"] { unlink(path(name)) }
    rmdir(root)
  }

  /// The path of a file in it.
  func path(_ name: String) -> String { "\(root)/\(name)" }

  /// Writes a file.
  func write(_ text: String, to name: String) throws {
    guard let file = fopen(path(name), "w") else { throw OpenSSLCommand.Failure(status: errno) }
    defer { fclose(file) }
    fputs(text, file)
  }

  /// Reads a file.
  func contents(_ name: String) throws -> String {
    guard let file = fopen(path(name), "r") else { throw OpenSSLCommand.Failure(status: errno) }
    defer { fclose(file) }
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { all += buffer[..<count] }
    return String(decoding: all, as: UTF8.self)
  }
}
