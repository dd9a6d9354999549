import HTTP
import Testing

@testable import HTTPServer

@Suite struct ResponseEncoderTests {
  @Test func writesStatusFieldsAndBody() {
    let text = encoded(.json(200, Array("{}".utf8)))
    #expect(
      text.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nDate: "))
    #expect(text.hasSuffix("\r\nX-Request-Id: id1\r\n\r\n{}"))
    #expect(!text.contains("Connection"))
  }

  @Test func writesNoBodyToHEADButItsLength() {
    let text = encoded(.json(200, Array("{}".utf8)), method: .head)
    #expect(text.contains("Content-Length: 2\r\n"))
    #expect(text.hasSuffix("\r\n\r\n"))
  }

  @Test(arguments: [204, 304])
  func writesNoBodyWithAStatusThatHasNone(_ status: Int) {
    let text = encoded(HTTPResponse(status: status, body: Array("x".utf8)))
    #expect(!text.contains("Content-Length"))
    #expect(text.hasSuffix("\r\n\r\n"))
  }

  @Test func letsNoValueBeginALineOfItsOwn() {
    let text = encoded(
      HTTPResponse(status: 302, fields: ["Location": "/a\r\nSet-Cookie: b\0c", "A\r\nB": "d"]))
    #expect(text.contains("\r\nLocation: /a  Set-Cookie: b c\r\n"))
    #expect(!text.contains("\nSet-Cookie"))
    #expect(!text.contains("A\r\nB"))
  }

  @Test func keepsTheFramingToItself() {
    let fields: HTTPFields = [
      "content-length": "9", "Transfer-Encoding": "chunked", "CONNECTION": "close", "date": "x",
      "x-request-id": "y",
    ]
    let text = encoded(HTTPResponse(status: 200, fields: fields))
    #expect(text.contains("Content-Length: 0\r\n"))
    for absent in ["content-length", "Transfer", "CONNECTION", "date:", "x-request-id"] {
      #expect(!text.contains(absent))
    }
  }

  @Test func tellsAnOldClientThatTheConnectionStays() {
    #expect(encoded(HTTPResponse(status: 200), isVersion11: false).contains("\r\nConnection: keep-alive\r\n"))
    #expect(encoded(HTTPResponse(status: 200), keepsAlive: false).contains("\r\nConnection: close\r\n"))
  }

  private func encoded(
    _ response: HTTPResponse, method: HTTPMethod = .get, keepsAlive: Bool = true, isVersion11: Bool = true
  ) -> String {
    var encoder = ResponseEncoder()
    let exchange = Exchange(
      connection: ConnectionID(descriptor: 1, generation: 1), serial: 1, id: "id1", method: method,
      keepsAlive: keepsAlive, isVersion11: isVersion11, startedAt: 0)
    encoder.encode(response, to: exchange, keepsAlive: keepsAlive)
    return String(decoding: encoder.bytes, as: UTF8.self)
  }
}
