import API
import Glibc
import HTTPServer
import Primitives

/// `check-config`: says what the configuration is and what of it cannot work. It makes and changes nothing.
struct CheckConfig {
  let options: ServerOptions
  let environment: [String: String]
  let terminal: Terminal

  func callAsFunction() -> Int32 {
    let directory = DataDirectory(options.dataDirectory)
    terminal.print("listen: \(options.host):\(options.port)")
    terminal.print("data directory: \(options.dataDirectory)")
    terminal.print(
      "google client IDs: \(options.googleClientIDs.isEmpty ? "none" : options.googleClientIDs.joined(separator: ", "))"
    )
    terminal.print("google: \(options.googleBaseURL ?? "the real one")")
    terminal.print("tls: \(options.tls == nil ? "off" : "on")")
    let problems = problems(directory)
    for problem in problems { terminal.complain("problem: \(problem)") }
    if options.googleClientIDs.isEmpty {
      terminal.complain("note: without --google-client-id nobody can connect Gmail.")
    }
    terminal.print(problems.isEmpty ? "ok" : "\(problems.count) to mend")
    return problems.isEmpty ? 0 : 1
  }

  private func problems(_ directory: DataDirectory) -> [String] {
    var problems: [String] = []
    if let exposure = options.exposure { problems.append(exposure) }
    for id in options.googleClientIDs where id.contains(":") || id.contains("/") {
      problems.append("'\(id)' is no client ID; they end in .apps.googleusercontent.com.")
    }
    if let problem = directory.problem(options, environment: environment) { problems.append(problem) }
    if let tls = options.tls { problems += [tls.certificate, tls.key].compactMap(Self.unreadable) }
    return problems
  }

  private static func unreadable(_ path: String) -> String? {
    access(path, R_OK) == 0 ? nil : "\(path) cannot be read."
  }
}
