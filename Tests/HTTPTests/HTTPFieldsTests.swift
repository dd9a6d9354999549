import HTTP
import Testing

@Suite("HTTPFields")
struct HTTPFieldsTests {
  @Test("RFC 9110 section 5.1: names compare without regard to case; order and repeats stay")
  func lines() {
    var fields: HTTPFields = ["Set-Cookie": "a", "X": "1"]
    fields.append("set-cookie", "b")
    #expect(fields["SET-COOKIE"] == "a")
    #expect(fields.values(of: "Set-Cookie") == ["a", "b"])
    #expect(fields.map(\.name) == ["Set-Cookie", "X", "set-cookie"])
    fields["set-COOKIE"] = "c"
    #expect(fields.values(of: "set-cookie") == ["c"])
    fields["x"] = nil
    #expect(fields.count == 1 && fields["X"] == nil)
  }

  @Test(
    "RFC 9110 section 8.3.1: the media type is the same in any case, and without its parameters",
    arguments: [
      ("application/json", "application/json"), ("Application/JSON ; charset=utf-8", "application/json"),
      (" text/plain;a=b;c=d", "text/plain"), ("text/plain\t", "text/plain"), ("", ""), (";", ""), (nil, nil),
    ])
  func mediaType(value: String?, type: String?) {
    var fields = HTTPFields()
    if let value { fields.append("content-type", value) }
    #expect(fields.mediaType == type)
  }

  @Test(
    "Only ASCII letters fold: @ is no backtick, [ no {, and no other alphabet joins in",
    arguments: [
      ("abc", "ABC", true), ("a-1", "A-1", true), ("", "", true), ("a", "ab", false), ("@", "`", false),
      ("[", "{", false), ("é", "É", false), ("K", "\u{212A}", false), ("-", "\r", false),
    ])
  func folds(left: String, right: String, same: Bool) {
    #expect(left.equalsIgnoringASCIICase(right) == same)
    #expect(right.equalsIgnoringASCIICase(left) == same)
  }
}
