import HTTP
import Testing

@Suite("FormCoding and PercentCoding")
struct FormCodingTests {
  @Test(
    "Pairs keep their order, repeats and empty values",
    arguments: [
      ("", []), ("a=1&b=2", ["a", "1", "b", "2"]), ("a=1&a=2", ["a", "1", "a", "2"]), ("a", ["a", ""]),
      ("a=", ["a", ""]), ("=b", ["", "b"]), ("a=b=c", ["a", "b=c"]), ("&&a=1&", ["a", "1"]),
      ("scope%5B%5D=x+y&q=%C3%A9%2B%26", ["scope[]", "x y", "q", "é+&"]), ("a=%00", ["a", "\u{0}"]),
    ])
  func decodes(text: String, flat: [String]) {
    #expect(FormCoding.decode(text).map { $0.flatMap { [$0.name, $0.value] } } == flat)
  }

  @Test(
    "Broken escapes and texts that are no UTF-8 are refused",
    arguments: [
      "a=%", "a=%4", "a=%zz", "%=1", "a=%ff", "a=%C3", "a=%C0%80", "a=%ED%A0%80", "a=%+1",
    ])
  func refuses(text: String) { #expect(FormCoding.decode(text) == nil) }

  @Test("RFC 3986 section 2.3: everything but unreserved characters is escaped, and comes back")
  func percent() {
    #expect(PercentCoding.encode("AZaz09-._~") == "AZaz09-._~")
    #expect(PercentCoding.encode(" +/?&=%é") == "%20%2B%2F%3F%26%3D%25%C3%A9")
    #expect(PercentCoding.decode("a+b%20c") == "a+b c")
    #expect(PercentCoding.decode("%2") == nil)
    let text = String(String.UnicodeScalarView((1..<0x300).compactMap(UnicodeScalar.init)))
    #expect(PercentCoding.decode(PercentCoding.encode(text)) == text)
    let pairs = FormCoding.decode(FormCoding.encode([(text, text), ("token", "1//0g+/=&")]))
    #expect(pairs?.first?.name == text && pairs?.last?.value == "1//0g+/=&")
  }
}
