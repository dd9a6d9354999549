import HTTP
import Testing

@testable import HTTPServer

@Suite struct RequestParserTests {
  @Test func readsARequestLineAndFields() throws {
    let request = try parsed(
      "GET /a/b?c=d?e HTTP/1.1\r\nHost: x:80\r\nX-One:  two words \t\r\nX-One: 2\r\n\r\n")
    #expect(request.method == .get)
    #expect(request.path == "/a/b")
    #expect(request.query == "c=d?e")
    #expect(request.fields["host"] == "x:80")
    #expect(request.fields.values(of: "x-one") == ["two words", "2"])
    #expect(request.body.isEmpty)
  }

  @Test func keepsThePathEncodedAndAnAbsentQueryNil() throws {
    let request = try parsed("GET /%7Ea%2Fb/../c HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(request.path == "/%7Ea%2Fb/../c")
    #expect(request.query == nil)
  }

  @Test func readsABodyByItsLength() throws {
    #expect(try parsed(post("hello", "Content-Length: 5\r\n")).body == Array("hello".utf8))
  }

  @Test(arguments: [
    "5\r\nhello\r\n0\r\n\r\n", "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", "00000005\r\nhello\r\n000\r\n\r\n",
    "5;a=b;c=\"d\"\r\nhello\r\n0;x\r\nX-Trailer: 1\r\n\r\n", "5 ;a\r\nhello\r\n0\r\n\r\n",
  ])
  func decodesAChunkedBody(_ body: String) throws {
    let request = try parsed(post(body, "Transfer-Encoding: ChUnKeD\r\n"))
    #expect(request.body == Array("hello".utf8))
    #expect(request.fields["X-Trailer"] == nil)
  }

  @Test func letsOneEmptyLinePassBeforeARequest() throws {
    #expect(try parsed("\r\n" + Sample.get).path == "/")
    #expect(Parsing.all("\r\n\r\n" + Sample.get).last == .refused(400))
  }

  @Test(
    arguments: [
      ("http://a.example:81/p?q", "/p", "q"), ("HTTPS://a.example:81", "/", nil),
      ("http://a.example:81?q", "/", "q"),
    ] as [(String, String, String?)])
  func takesTheHostOfAnAbsoluteTarget(_ target: String, _ path: String, _ query: String?) throws {
    let request = try parsed("GET \(target) HTTP/1.1\r\nHost: other\r\n\r\n")
    #expect(request.path == path)
    #expect(request.query == query)
    #expect(request.fields.values(of: "Host") == ["a.example:81"])
  }

  @Test func takesAnAsteriskWithOptionsOnly() throws {
    #expect(try parsed("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n").path == "*")
    #expect(Parsing.all("GET * HTTP/1.1\r\nHost: x\r\n\r\n").last == .refused(400))
  }

  @Test(arguments: [
    ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: foo, Close\r\n", false), ("HTTP/1.0", "", false),
    ("HTTP/1.0", "Connection: keep-alive\r\n", true),
    ("HTTP/1.0", "Connection: keep-alive\r\nConnection: close\r\n", false),
  ])
  func saysWhetherTheConnectionStaysOpen(_ version: String, _ field: String, _ expected: Bool) {
    var parser = RequestParser(limits: HTTPServerLimits())
    let bytes = Array("GET / \(version)\r\nHost: x\r\n\(field)\r\n".utf8)
    guard case .request(_, let keepsAlive, _) = parser.consume(bytes.span).event else {
      Issue.record("no request")
      return
    }
    #expect(keepsAlive == expected)
  }

  @Test func takesHTTP10WithoutAHost() throws {
    #expect(try parsed("GET / HTTP/1.0\r\n\r\n").path == "/")
  }

  @Test func takesNothingOfTheNextRequest() {
    var parser = RequestParser(limits: HTTPServerLimits())
    let first = post("hello", "Content-Length: 5\r\n")
    let taken = parser.consume(Array((first + Sample.get).utf8).span).taken
    #expect(taken == first.utf8.count)
  }

  @Test func asksForTheBodyOnlyWhenItIsWaitedFor() {
    let head = "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: 5\r\n\r\n"
    #expect(Parsing.all(head) == [.expectsContinue])
    #expect(Parsing.all(head + "hello") == [.request("POST / [hello]")])
    let huge = "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 10000000\r\n\r\n"
    #expect(Parsing.all(huge) == [.refused(413)])
  }

  @Test(arguments: Sample.accepted)
  func givesTheSameAtEverySplit(_ sample: Sample) throws {
    let whole = Parsing.all(sample.text).filter { $0 != .expectsContinue }
    try #require(whole.allSatisfy { if case .request = $0 { true } else { false } } && !whole.isEmpty)
    #expect(Parsing.byteByByte(sample.text) == whole)
    for cut in 0...sample.text.utf8.count {
      #expect(Parsing.split(sample.text, at: cut) == whole, "cut at \(cut)")
    }
  }

  @Test(arguments: Sample.refused)
  func refusesWhatCouldBeReadTwoWays(_ sample: Sample) {
    let whole = Parsing.all(sample.text)
    #expect(whole == [.refused(sample.status)])
    #expect(Parsing.byteByByte(sample.text) == whole)
  }

  @Test(arguments: Sample.refused.filter { $0.text.utf8.count < 1000 })
  func refusesTheSameAtEverySplit(_ sample: Sample) {
    for cut in 0...sample.text.utf8.count {
      #expect(Parsing.split(sample.text, at: cut) == [.refused(sample.status)], "cut at \(cut)")
    }
  }

  @Test func holdsTheLimitsToTheByte() {
    var limits = HTTPServerLimits()
    limits.targetBytes = 10
    limits.bodyBytes = 5
    limits.fieldLines = 2
    limits.headerBytes = 60
    let limited = limits
    func result(_ text: String) -> Parsing.Result? { Parsing.all(text, limited).last }
    func target(_ count: Int) -> Parsing.Result? {
      result("GET /\(String(repeating: "a", count: count)) HTTP/1.1\r\nHost: x\r\n\r\n")
    }
    func chunks(_ second: String) -> Parsing.Result? {
      result(post("2\r\nab\r\n\(second)\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n"))
    }
    func fields(_ lines: String) -> Parsing.Result? { result("GET / HTTP/1.1\r\nHost: x\r\n\(lines)\r\n") }
    #expect(target(9) == .request("GET /aaaaaaaaa []"))
    #expect(target(10) == .refused(414))
    #expect(result(post("12345", "Content-Length: 5\r\n")) == .request("POST / [12345]"))
    #expect(result(post("123456", "Content-Length: 6\r\n")) == .refused(413))
    #expect(chunks("3\r\ncde") == .request("POST / [abcde]"))
    #expect(chunks("4\r\ncdef") == .refused(413))
    #expect(fields("A: b\r\n") == .request("GET / []"))
    #expect(fields("A: b\r\nC: d\r\n") == .refused(431))
    // 16 of the request line, 9 of Host, so 35 are left for this line with its end.
    #expect(fields("A: \(String(repeating: "b", count: 30))\r\n") == .request("GET / []"))
    #expect(fields("A: \(String(repeating: "b", count: 33))\r\n") == .refused(431))
  }

  private func post(_ body: String, _ fields: String) -> String {
    "POST / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\(body)"
  }

  private func parsed(_ text: String) throws -> HTTPRequest {
    var parser = RequestParser(limits: HTTPServerLimits())
    let bytes = Array(text.utf8)
    let (taken, event) = parser.consume(bytes.span)
    guard case .request(let request, _, _) = event else { throw Unexpected(what: "\(event)") }
    #expect(taken == bytes.count)
    return request
  }
}

private struct Unexpected: Error { let what: String }
