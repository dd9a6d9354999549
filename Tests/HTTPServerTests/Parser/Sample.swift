import Testing

/// Bytes for the parser, one byte for each scalar of `text`, and the status that refuses them.
struct Sample: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let text: String
  let status: Int

  private init(_ name: String, _ text: String, _ status: Int = 0) {
    testDescription = name
    self.text = text
    self.status = status
  }

  static let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

  private static func get(_ fields: String) -> String { "GET / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n" }

  private static func post(_ fields: String, _ body: String = "hello", version: String = "HTTP/1.1") -> String
  {
    "POST / \(version)\r\nHost: x\r\n\(fields)\r\n\(body)"
  }

  private static func chunked(_ body: String) -> String { post("Transfer-Encoding: chunked\r\n", body) }

  static let accepted = [
    Sample("a request", get),
    Sample("a body", post("Content-Length: 5\r\n")),
    Sample("a body that is waited for", post("Expect: 100-continue\r\nContent-Length: 5\r\n")),
    Sample("no body", post("", "")),
    Sample("a body with GET", "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"),
    Sample("an empty line first", "\r\n" + get),
    Sample("an empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
    Sample("8-bit bytes in a value", get("A: \u{E5}\r\n")),
    Sample("an unknown method", "FROB / HTTP/1.1\r\nHost: x\r\n\r\n"),
    Sample("chunks", chunked("2;a=b\r\nhe\r\n003\r\nllo\r\n0\r\nX-T: 1\r\n\r\n")),
    Sample("an empty line in a chunk", chunked("4\r\n\r\n\r\n\r\n0\r\n\r\n")),
    Sample(
      "requests in a row", get + post("Content-Length: 5\r\n") + chunked("5\r\nhello\r\n0\r\n\r\n") + get),
  ]

  static let refused = lines + fields + lengths + codings + chunks + sizes

  private static let lines = [
    Sample("no request line", "GARBAGE\r\n\r\n", 400), Sample("HTTP/0.9", "GET /\r\n\r\n", 400),
    Sample("two spaces", "GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    Sample("a space behind", "GET / HTTP/1.1 \r\nHost: x\r\n\r\n", 400),
    Sample("a fourth word", "GET / HTTP/1.1 x\r\nHost: x\r\n\r\n", 400),
    Sample("a tab", "GET\t/ HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    Sample("a space first", " GET / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    Sample("no path", "GET a HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    Sample("HTTP/9.9", "GET / HTTP/9.9\r\nHost: x\r\n\r\n", 505),
    Sample("HTTP/2.0", "GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505),
    Sample("HTTP/1.10", "GET / HTTP/1.10\r\nHost: x\r\n\r\n", 400),
    Sample("http/1.1", "GET / http/1.1\r\nHost: x\r\n\r\n", 400),
    Sample("a TLS greeting", "\u{16}\u{3}\u{1}\u{0}\u{C8}\u{1}\u{0}\u{0}\u{C4}", 400),
    Sample("NUL in the target", "GET /a\u{0}b HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    Sample("a control byte in the target", "GET /a\u{1}b HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    Sample("an 8-bit target", "GET /\u{FF} HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    Sample("a fragment", "GET /a#b HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    Sample("CONNECT", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", 400),
    Sample("another scheme", "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    Sample("user information", "GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    Sample("no authority", "GET http:///a HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    Sample("bare line feeds", "GET / HTTP/1.1\nHost: x\n\n", 400),
  ]

  private static let fields = [
    Sample("no Host", "GET / HTTP/1.1\r\n\r\n", 400),
    Sample("two Hosts", "GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", 400),
    Sample("a Host with a path", "GET / HTTP/1.1\r\nHost: x/y\r\n\r\n", 400),
    Sample("a Host list", "GET / HTTP/1.1\r\nHost: x y\r\n\r\n", 400),
    Sample("a folded line", get("A: b\r\n c\r\n"), 400), Sample("no colon", get("Abc\r\n"), 400),
    Sample("a space before the colon", get("A : b\r\n"), 400),
    Sample("a space in a name", get("A b: c\r\n"), 400),
    Sample("NUL in a value", get("A: b\u{0}c\r\n"), 400),
    Sample("a bare CR in a value", get("A: b\rc: d\r\n"), 400),
    Sample("a control byte in a name", get("A\u{1}: b\r\n"), 400),
    Sample("an empty name", get(": b\r\n"), 400),
    Sample("DEL in a value", get("A: b\u{7F}\r\n"), 400),
    Sample("a bare LF in the head", get("A: b\nC: d\r\n"), 400),
    Sample("an unknown expectation", post("Content-Length: 5\r\nExpect: foo\r\n"), 417),
  ]

  private static let lengths = [
    Sample("lengths that differ", post("Content-Length: 0\r\nContent-Length: 5\r\n"), 400),
    Sample("lengths that agree", post("Content-Length: 5\r\nContent-Length: 5\r\n"), 400),
    Sample("a list", post("Content-Length: 5, 5\r\n"), 400),
    Sample("+5", post("Content-Length: +5\r\n"), 400),
    Sample("-1", post("Content-Length: -1\r\n"), 400), Sample("0x5", post("Content-Length: 0x5\r\n"), 400),
    Sample("5abc", post("Content-Length: 5abc\r\n"), 400),
    Sample("5 5", post("Content-Length: 5 5\r\n"), 400),
    Sample("no length", post("Content-Length:\r\n"), 400),
    Sample("overflow", post("Content-Length: 18446744073709551621\r\n"), 400),
    Sample("a space before its colon", post("Content-Length : 5\r\n"), 400),
    Sample("ten megabytes", post("Content-Length: 10000000\r\n", ""), 413),
  ]

  private static let codings = [
    Sample(
      "length and coding", post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400),
    Sample(
      "coding and length", post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"), 400),
    Sample("xchunked", post("Transfer-Encoding: xchunked\r\n"), 501),
    Sample("identity", post("Transfer-Encoding: identity\r\nContent-Length: 5\r\n"), 501),
    Sample("chunked, identity", post("Transfer-Encoding: chunked, identity\r\n"), 501),
    Sample("gzip, chunked", post("Transfer-Encoding: gzip, chunked\r\n"), 501),
    Sample("quoted", post("Transfer-Encoding: \"chunked\"\r\n"), 501),
    Sample("chunked twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 400),
    Sample("a vertical tab", post("Transfer-Encoding: \u{B}chunked\r\n"), 400),
    Sample("a space before the coding's colon", post("Transfer-Encoding : chunked\r\n"), 400),
    Sample("with HTTP/1.0", post("Transfer-Encoding: chunked\r\n", version: "HTTP/1.0"), 400),
  ]

  private static let chunks = [
    Sample("zz", chunked("zz\r\nhello\r\n0\r\n\r\n"), 400),
    Sample("chunk -5", chunked("-5\r\nhello\r\n"), 400),
    Sample("chunk +5", chunked("+5\r\nhello\r\n"), 400),
    Sample("chunk 0x5", chunked("0x5\r\nhello\r\n"), 400),
    Sample("a space before a size", chunked(" 5\r\nhello\r\n"), 400),
    Sample("a space behind a size", chunked("5 \r\nhello\r\n0\r\n\r\n"), 400),
    Sample("no size", chunked("\r\nhello\r\n"), 400),
    Sample("a size of 64 bits", chunked("fffffffffffffff1\r\nhello\r\n"), 413),
    Sample("a size of 68 bits", chunked("10000000000000005\r\nhello\r\n"), 400),
    Sample("more data than its size", chunked("5\r\nhelloXX0\r\n\r\n"), 400),
    Sample("a bare LF behind a chunk", chunked("5\r\nhelloX\n0\r\n\r\n"), 400),
    Sample("a bare LF in an extension", chunked("5;a\nb\r\nhello\r\n"), 400),
    Sample("bare LFs between chunks", chunked("5\nhello\n0\n\n"), 400),
    Sample("a trailer that is no field", chunked("0\r\nabc\r\n\r\n"), 400),
  ]

  private static let sizes = [
    Sample("a long extension", chunked("5;" + String(repeating: "a", count: 300) + "\r\nhello\r\n"), 400),
    Sample("long trailers", chunked("0\r\nX: " + String(repeating: "a", count: 17_000) + "\r\n\r\n"), 431),
    Sample("many trailers", chunked("0\r\n" + String(repeating: "X: a\r\n", count: 101) + "\r\n"), 431),
    Sample("a long head", get("A: " + String(repeating: "a", count: 17_000) + "\r\n"), 431),
    Sample("a head without end", "GET / HTTP/1.1\r\nA: " + String(repeating: "a", count: 17_000), 431),
    Sample("many fields", get(String(repeating: "A: a\r\n", count: 100)), 431),
    Sample(
      "a long target", "GET /" + String(repeating: "a", count: 8192) + " HTTP/1.1\r\nHost: x\r\n\r\n", 414),
    Sample("a target without end", "GET /" + String(repeating: "a", count: 9000), 414),
    Sample("a long method", String(repeating: "A", count: 40) + " / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
  ]
}
