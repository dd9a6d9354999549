import FoundationEssentials
import Primitives
import Testing

@testable import Cryptography

@Suite("Plain JSON objects")
struct PlainJSONObjectTests {
  private static let plain = #"{"user_id":"0b6f","email":"e@example.com","iat":-17,"exp":1730541600,"n":0}"#

  @Test("A plain object is read")
  func reads() throws {
    let members = try #require(PlainJSONObject.members(of: Array(Self.plain.utf8)))
    #expect(members.map(\.name) == ["user_id", "email", "iat", "exp", "n"])
    #expect(members.map(\.value) == ["0b6f", "e@example.com", -17, 1_730_541_600, 0])
  }

  @Test(
    "What is not plain is left to the general decoder",
    arguments: [
      "", "{", "{}", "[]", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1}}"#, #"{"a":1} "#, #"{ "a":1}"#,
      #"{"a":01}"#, #"{"a":-}"#, #"{"a":+1}"#, #"{"a":1.0}"#, #"{"a":1e3}"#, #"{"a":true}"#, #"{"a":null}"#,
      #"{"a":"\n"}"#, #"{"a":"ö"}"#, #"{"a":[1]}"#, #"{"a":{}}"#, #"{"a":1,"a":2}"#, #"{a:1}"#, #"{"a":1"#,
      #"{"a":"b"#,
      "{\"a\":\"\u{7}\"}", #"{"a":1234567890123456789}"#, #"{"a":1 "b":2}"#, #"{"a" :1}"#,
    ])
  func leaves(json: String) {
    #expect(PlainJSONObject.members(of: Array(json.utf8)) == nil)
  }

  @Test("An object with many members is left to the general decoder")
  func many() {
    let object = { "{" + (0..<$0).map { #""m\#($0)":1"# }.joined(separator: ",") + "}" }
    #expect(PlainJSONObject.members(of: Array(object(16).utf8))?.count == 16)
    #expect(PlainJSONObject.members(of: Array(object(17).utf8)) == nil)
  }

  @Test("Whatever is read after a random change, the general decoder reads alike")
  func agreement() throws {
    var generator = SplitMix64(state: 20_260_101)
    let replacements = Array(#"{}[]:,"\-+.eE019 atfn"#.utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xC3, 0xFF]
    var read = 0
    for _ in 0..<20_000 {
      var json = Array(Self.plain.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: json.indices, using: &generator)
        if Bool.random(using: &generator) {
          json[index] = try #require(replacements.randomElement(using: &generator))
        } else {
          json.remove(at: index)
        }
      }
      guard let members = PlainJSONObject.members(of: json) else { continue }
      read += 1
      let general = try JSONDecoder().decode(JSONValue.self, from: Data(json))
      let object = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
      #expect(general == .object(object), "\(String(decoding: json, as: UTF8.self))")
    }
    #expect(read > 1000, "the changes must leave enough to compare")
  }
}
