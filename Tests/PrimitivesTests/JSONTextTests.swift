import FoundationEssentials
import Primitives
import Testing

@Suite("JSONText and JSONValue")
struct JSONTextTests {
  private func parse(_ text: String) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
  }

  @Test(
    "RFC 8259 section 7: quotes, backslashes and control characters are escaped",
    arguments: [
      ("a", #""a""#), ("\"\\", #""\"\\""#), ("\n", #""\n""#), ("\r\t", #""\u000d\u0009""#),
      ("\u{0}", #""\u0000""#),
      ("\u{1F}\u{7F}", #""\u001f\u007f""#), ("é😀\u{2028}", "\"é😀\u{2028}\""), ("/", #""/""#),
    ])
  func escapes(text: String, json: String) throws {
    var writer = JSONText()
    writer.value(text)
    #expect(writer.string == json)
    #expect(try parse(json) == .string(text))
  }

  @Test("However long texts are, and however little room there was, they are whole")
  func growing() {
    for length in 0...70 {
      for character in ["a", "\n", "é"] {
        let word = String(repeating: character, count: length)
        var text = JSONText(capacity: length)
        text.array { for _ in 0..<3 { $0.value(word) } }
        text.endLine()
        let quoted = "\"" + (character == "\n" ? String(repeating: #"\n"#, count: length) : word) + "\""
        #expect(text.string == "[\(quoted),\(quoted),\(quoted)]\n")
        #expect(text.bytes == Array(text.string.utf8))
      }
    }
  }

  @Test("Members and elements are separated by one comma each")
  func commas() throws {
    var text = JSONText()
    text.object {
      $0.key("a")
      $0.value(Int64(1))
      $0.key("b")
      $0.array {
        $0.value(true)
        $0.null()
        $0.object { _ in }
        $0.array { _ in }
        $0.value("x")
      }
      $0.key("c")
      $0.value(1.5)
    }
    #expect(text.string == #"{"a":1,"b":[true,null,{},[],"x"],"c":1.5}"#)
  }

  @Test("A member without a value is left out, its comma too")
  func members() {
    var text = JSONText()
    text.object {
      $0.member("a", nil as String?)
      $0.member("b", "x")
      $0.member("c", nil as JSONValue?)
      $0.member("d", true)
      $0.member("e", JSONValue.object([:]))
      $0.key("f" as StaticString)
      $0.value("\"" as StaticString)
    }
    #expect(text.string == #"{"b":"x","d":true,"e":{},"f":"\""}"#)
  }

  @Test("Numbers are JSON's, also the odd ones")
  func numbers() throws {
    for number in [0.1, 1e300, -1e-300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -0.0] {
      var text = JSONText()
      text.value(number)
      #expect(try JSONDecoder().decode(Double.self, from: Data(text.bytes)) == number)
    }
    for number in [Double.infinity, -.infinity, .nan] {
      var text = JSONText()
      text.value(number)
      #expect(text.string == "null")
    }
    var text = JSONText()
    text.value(Int64.min)
    #expect(text.string == "-9223372036854775808")
  }

  @Test(
    "What is written is what is read",
    arguments: [
      JSONValue.null, true, 0, -7, "", "a\"b", [], [:], [1, [2, ["x": nil]], false],
      ["a": ["b": ["c": [.number(1.5), .integer(.max)]]], "": "empty", "\n": 1],
    ])
  func roundTrip(value: JSONValue) throws {
    #expect(try JSONDecoder().decode(JSONValue.self, from: Data(value.serialized)) == value)
    #expect(try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value)) == value)
  }

  @Test("Types are told apart: true is no 1, a text no number, a whole number no fraction")
  func types() throws {
    #expect(try parse("[true,1,\"1\",1.5,null]") == [true, 1, "1", .number(1.5), nil])
    #expect(try parse("9223372036854775807") == .integer(.max))
    #expect(try parse("9223372036854775808") == .number(9_223_372_036_854_775_808))
    #expect(try parse("1e300") == .number(1e300))
    #expect(try parse("{\"a\":1}")["a"]?.integer == 1)
    #expect(try parse("[1]")["a"] == nil)
  }

  @Test("Members are written in the order of their names")
  func sorted() {
    let value: JSONValue = ["b": 1, "a": 2, "B": 3]
    #expect(String(decoding: value.serialized, as: UTF8.self) == #"{"B":3,"a":2,"b":1}"#)
  }

  @Test(
    "Numbers that no Double holds, and broken texts, fail without a trap",
    arguments: [
      "1e400", "-1e999", "", "{", "{\"a\"}", "\"\\ud800\"", "nul", "01", "[1e400]", "{\"a\":[1e400]}",
    ])
  func broken(text: String) { #expect(throws: (any Error).self) { try parse(text) } }
}
