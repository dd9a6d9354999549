import FoundationEssentials
import Glibc
import GoogleEmulator
import Primitives

/// A folder of `.eml` files.
struct MailDirectory {
  /// A folder or file that cannot be read.
  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  let path: String

  /// Its messages in the order of their file names, each dated by its file for want of a better date.
  func messages(for email: String) throws(Unreadable) -> [EmulatorConfiguration.SeedMessage] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw Unreadable(description: "cannot read the folder \(path)")
    }
    var messages: [EmulatorConfiguration.SeedMessage] = []
    for name in names.sorted() where name.lowercased().hasSuffix(".eml") {
      let file = path + "/" + name
      guard let data = FileManager.default.contents(atPath: file) else {
        throw Unreadable(description: "cannot read \(file)")
      }
      messages.append(.init(email: email, raw: Array(data), arrival: Self.modified(file)))
    }
    return messages
  }

  private static func modified(_ file: String) -> Timestamp {
    var facts = stat()
    guard stat(file, &facts) == 0 else { return Timestamp(seconds: 0) }
    return Timestamp(seconds: Int64(facts.st_mtim.tv_sec))
  }
}
