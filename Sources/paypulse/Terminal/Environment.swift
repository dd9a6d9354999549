import Glibc

/// The process's environment.
enum Environment {
  /// Its variables as they are now.
  static func current() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let halves = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if halves.count == 2 { variables[String(halves[0])] = String(halves[1]) }
      entry += 1
    }
    return variables
  }
}
