import FoundationEssentials
import Primitives
import Testing

@Suite("Reading JSON (RFC 8259)")
struct JSONReaderTests {
  private func read(_ text: String) -> JSONValue? { JSONValue(json: Array(text.utf8)) }

  @Test(
    "What a JSONDecoder reads is read the same",
    arguments: [
      "null", "true", "false", "0", "-0", "7", "-12", "1.5", "-2.25e-3", "1E3", "1.0", "9223372036854775807",
      "-9223372036854775808", "9223372036854775808", "1e300", #""""#, #""plain å 🦊""#, #""\"\\\/\b\f\n\r\t""#,
      #""\u0000\u00e5\uD83E\udd8a\uFFFF""#, #""a\u0041b""#, "[]", "{}", " [ 1 , [ ] , { } ] ",
      "\t{\"a\" : {\"b\":[null,true,\"x\"]}\r\n,\"\":0}\n", #"{"é":1,"a\"b":2}"#, "\"\u{7F}\u{2028}\"",
    ])
  func agrees(text: String) throws {
    let expected = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    #expect(read(text) == expected)
  }

  @Test(
    "What is not JSON is not read",
    arguments: [
      "", " ", "nul", "nulll", "True", "tru", "'a'", "a", "{", "[", "}", "{]", "[1,]", "[,1]", "[1 2]",
      "[1,,2]",
      #"{"a":1,}"#, #"{,"a":1}"#, #"{"a"}"#, #"{"a":}"#, #"{"a" 1}"#, "{a:1}", "{1:2}", #"{"a":1 "b":2}"#,
      "01", "-",
      "-a", "+1", ".5", "1.", "1.e3", "1e", "1e+", "0x10", "1_000", "NaN", "Infinity", "1e400", "1 2",
      "[] []",
      "\"", "\"a", #""\"#, #""\x""#, #""\u12""#, #""\u12g4""#, #""\u+123""#, #""\ud800""#, #""\udc00""#,
      #""\ud800\u0041""#, #""\ud800\ud800""#, #""\ud800x""#, "\"line\nbreak\"", "\"\u{0}\"", "\u{FEFF}{}",
      "//\n1",
      "[1]/**/",
    ])
  func refuses(text: String) { #expect(read(text) == nil) }

  @Test(
    "Bytes that are not UTF-8 are not read",
    arguments: [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82]])
  func notUTF8(bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    #expect(JSONValue(json: [quote] + bytes + [quote]) == nil)
    #expect(JSONValue(json: [quote] + Array(#"\n"#.utf8) + bytes + [quote]) == nil)
    #expect(JSONValue(json: bytes) == nil)
  }

  @Test("Every beginning of a text that is cut off is refused without a trap")
  func cutOff() {
    let text = Array(#"{"a":[1.5e-3,true,null,"\u00e5\ud83e\udd8a\n"],"b":{"c":false}}"#.utf8)
    #expect(JSONValue(json: text) != nil)
    for count in 0..<text.count { #expect(JSONValue(json: Array(text[..<count])) == nil) }
  }

  @Test("64 levels are read, one more is refused, and a million end no process")
  func nesting() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      let inner = open == "[" ? "" : "1"
      func nested(_ depth: Int) -> String {
        String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
      }
      #expect(read(nested(JSONValue.deepestNesting)) != nil)
      #expect(read(nested(JSONValue.deepestNesting + 1)) == nil)
      #expect(read(String(repeating: open, count: 1_000_000)) == nil)
    }
  }

  @Test("Of members with one name the last stands")
  func repeatedName() { #expect(read(#"{"a":1,"a":2}"#) == ["a": 2]) }
}
