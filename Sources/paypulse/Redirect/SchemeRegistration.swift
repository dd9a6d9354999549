import Glibc
import PayPulseKit
import Primitives

/// The client's scheme, registered with the desktop for as long as an answer is waited for (XDG Desktop Entry and
/// MIME Applications specifications). The association that `xdg-mime` wrote stays behind; with the entry gone, it
/// leads nowhere.
struct SchemeRegistration {
  private static let name = "paypulse-redirect.desktop"
  private let path: String

  /// Registers `scheme`; nil when this desktop takes no registration.
  static func make(scheme: String, directory: ConfigurationDirectory) async -> SchemeRegistration? {
    guard let program = executable() else { return nil }
    let folder = directory.dataHome + "/applications"
    // The browser gives the address as an argument; there is no other way for a desktop to hand one over.
    let entry = """
      [Desktop Entry]
      Type=Application
      Name=PayPulse sign-in
      NoDisplay=true
      Terminal=false
      Exec=env \(quoted("XDG_CONFIG_HOME=" + directory.root)) \(quoted(program)) _deliver-redirect %u
      MimeType=x-scheme-handler/\(scheme);

      """
    guard write(entry, to: folder + "/" + name, in: folder) else { return nil }
    let registration = SchemeRegistration(path: folder + "/" + name)
    guard await Process.run(["xdg-mime", "default", name, "x-scheme-handler/" + scheme]) == 0 else {
      registration.remove()
      return nil
    }
    _ = await Process.run(["update-desktop-database", folder])
    return registration
  }

  /// Takes the entry away again.
  func remove() { unlink(path) }

  /// A quoted argument of `Exec`: `\`, `"`, `` ` `` and `$` are escaped, `%` is doubled, and the whole is a string
  /// value, whose backslashes are doubled once more.
  static func quoted(_ text: String) -> String {
    var argument = ""
    for character in text {
      switch character {
      case "\\", "\"", "`", "$": argument += "\\" + String(character)
      case "%": argument += "%%"
      default: argument.append(character)
      }
    }
    return "\"" + argument.replacing("\\", with: "\\\\") + "\""
  }

  private static func executable() -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0, count < buffer.count else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func write(_ text: String, to path: String, in folder: String) -> Bool {
    guard !text.contains("\r") else { return false }
    FileIO.makeDirectories(folder, mode: 0o755)
    unlink(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return FileIO.writeAll(descriptor, Array(text.utf8))
  }
}
