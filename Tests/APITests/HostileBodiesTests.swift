import HTTP
import Primitives
import Testing

@testable import API

@Suite("Bodies that are made to cost much")
struct HostileBodiesTests {
  /// 64 KiB each, the most that is taken.
  static let bodies: [String: String] = [
    "deep arrays side by side": list(String(repeating: "[", count: 60) + String(repeating: "]", count: 60)),
    "empty objects": list("{}"), "empty arrays": list("[]"), "texts": list(#""a""#),
    "deeper than anything": String(repeating: "[", count: 65_536),
    "a long number": #"{"email":"# + String(repeating: "9", count: 65_000) + "}",
    "many members": "{" + (0..<5000).map { #""k\#($0)":[]"# }.joined(separator: ",") + "}",
    "escapes": #"{"email":""# + String(repeating: #"\ud83d\ude00"#, count: 5400) + #""}"#,
  ]

  private static func list(_ element: String) -> String {
    let count = 65_000 / (element.utf8.count + 1)
    return #"{"a":["# + Array(repeating: element, count: count).joined(separator: ",") + "]}"
  }

  @Test("4: none holds an event thread up: any stranger may send them", arguments: bodies.keys.sorted())
  func isCheap(kind: String) throws {
    let body = try #require(Self.bodies[kind])
    #expect(body.utf8.count <= 65_536)
    let request = HTTPRequest(method: .post, path: "/v1/auth/login", body: Array(body.utf8))
    let duration = ContinuousClock().measure {
      _ = try? JSONBody(request, whenEmpty: "body") { .missingLoginField($0) }
    }
    // A debug build takes milliseconds; a reader that tries one type after another takes seconds.
    #expect(duration < .seconds(1))
  }
}
