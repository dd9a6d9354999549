import Primitives
import Testing

@Suite("JSON as it is written")
struct JSONTextTests {
  private func written(_ write: (inout JSONText) -> Void) -> String {
    var text = JSONText()
    write(&text)
    return text.string
  }

  @Test("has commas between members and elements only")
  func commas() {
    let text = written {
      $0.object {
        $0.member("a", "1")
        $0.member("b", nil as String?)
        $0.member("c", true)
        $0.key("d")
        $0.array {
          $0.value(Int64(1))
          $0.value(Int64(2))
        }
        $0.member("e", JSONValue.object([:]))
      }
    }
    #expect(text == #"{"a":"1","c":true,"d":[1,2],"e":{}}"#)
  }

  @Test(
    "escapes what a string may not hold (RFC 8259 section 7), and nothing else",
    arguments: [
      ("", #""""#), ("plain å 🦊 /", #""plain å 🦊 /""#), ("a\"b", #""a\"b""#), (#"a\b"#, #""a\\b""#),
      ("line\nend\r", #""line\nend\u000d""#), ("\u{0}\u{1F}\u{7F}", #""\u0000\u001f\u007f""#),
    ])
  func strings(_ text: String, _ json: String) {
    #expect(written { $0.value(text) } == json)
  }

  @Test("says null for a number that JSON cannot say")
  func numbers() {
    #expect(
      written {
        $0.array {
          $0.value(1.5); $0.value(Double.nan); $0.value(Double.infinity)
        }
      } == "[1.5,null,null]")
  }
}
