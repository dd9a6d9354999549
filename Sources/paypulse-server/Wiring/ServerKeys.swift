import Cryptography
import Primitives

/// The two keys that a server holds.
package struct ServerKeys: Sendable {
  /// Signs sessions.
  package let jwtSecret: Secret
  /// Wraps the keys that tokens are sealed under.
  package let wrappingKeys: KeyRing
  /// Reads the wrapping keys again, after one was added; nil when the file cannot be used.
  package let rereadWrappingKeys: @Sendable () -> KeyRing?

  /// Reads the keys; says which file is missing or wrong, and changes nothing.
  init(_ options: ServerOptions, in directory: DataDirectory, environment: [String: String]) throws(FileError)
  {
    jwtSecret = try Self.jwtSecret(options, in: directory, environment: environment)
    wrappingKeys = try Self.wrappingKeys(options, in: directory)
    rereadWrappingKeys = { try? Self.wrappingKeys(options, in: directory) }
  }

  static func jwtSecret(_ options: ServerOptions, in directory: DataDirectory, environment: [String: String])
    throws(FileError) -> Secret
  {
    switch options.jwtSecret {
    case .environment(let variable): Secret(environment[variable] ?? "")
    case .dataDirectory: try secret(directory.jwtSecret)
    case .file(let path): try secret(path)
    }
  }

  static func wrappingKeys(_ options: ServerOptions, in directory: DataDirectory) throws(FileError) -> KeyRing
  {
    switch options.wrappingKey {
    case .dataDirectory: try keyRing(directory.wrappingKey)
    case .file(let path), .environment(let path): try keyRing(path)
    }
  }

  private static func secret(_ path: String) throws(FileError) -> Secret {
    var content = try keyFile(path)
    while let last = content.last, last == 0x0A || last == 0x0D { content.removeLast() }
    guard !content.isEmpty, let text = String(validating: content, as: UTF8.self) else {
      throw FileError("\(path) must hold the session key as one line of text.")
    }
    return Secret(text)
  }

  private static func keyRing(_ path: String) throws(FileError) -> KeyRing {
    let content = try keyFile(path)
    do throws(KeyRing.ParseError) { return try KeyRing(file: content) } catch {
      throw FileError(
        "\(path) must hold wrapping keys: 32 bytes each in base64 or hex, one a line, the current one last.")
    }
  }

  private static func keyFile(_ path: String) throws(FileError) -> [UInt8] {
    guard SystemFiles.exists(path) else {
      throw FileError(
        "The key file \(path) is missing. Put it back: without it what is stored cannot be used.")
    }
    return try SystemFiles.read(path)
  }
}
