import PayPulseKit
import Testing

@Suite("Server addresses")
struct ServerAddressTests {
  @Test(
    "one server has one form",
    arguments: [
      ("HTTPS://Api.Example/", "https://api.example"), ("https://api.example:443", "https://api.example"),
      ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"), ("http://localhost:80", "http://localhost"),
      ("http://[::1]:9/x//", "http://[::1]:9/x"), ("https://h/Prefix/", "https://h/Prefix"),
    ])
  func normalised(text: String, form: String) throws {
    #expect(try ServerAddress(text).description == form)
  }

  @Test(
    "plain http is taken for the machine itself only",
    arguments: [
      "http://paypulse.example", "http://127.0.0.1.evil.example", "http://10.0.0.1", "http://127.1.evil",
      "http://localhost.evil.example",
    ])
  func insecure(text: String) throws {
    #expect(throws: ServerAddress.Invalid.insecure) { try ServerAddress(text) }
    #expect(try ServerAddress(text, allowingPlainHTTP: true).description == text)
  }

  @Test(
    "what is no plain server address is refused",
    arguments: [
      "", "paypulse.example", "ftp://h", "https://", "https://u:p@h", "https://h?x", "https://h#x",
      "https://h:0",
      "https://h:99999", "https://h:x", "https://a b", "https://::1", "https://h\r\nX:1", "https://[]",
    ])
  func malformed(text: String) {
    #expect(throws: ServerAddress.Invalid.malformed) { try ServerAddress(text) }
  }
}
