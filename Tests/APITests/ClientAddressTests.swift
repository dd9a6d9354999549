import HTTP
import Testing

@testable import API

@Suite("Whom a request comes from")
struct ClientAddressTests {
  private func address(peer: String?, forwarded: [String] = [], trusted: [String] = []) -> String {
    let clients = ClientAddress(trustedProxies: trusted.compactMap { AddressRange($0) })
    let fields = HTTPFields(forwarded.map { .init(name: "X-Forwarded-For", value: $0) })
    return clients(HTTPRequest(method: .get, path: "/", fields: fields, peer: peer))
  }

  @Test("without a trusted proxy it is the peer, whatever the request claims")
  func untrusted() {
    #expect(address(peer: "192.0.2.1", forwarded: ["203.0.113.9"]) == "192.0.2.1")
    #expect(address(peer: nil, forwarded: ["203.0.113.9"]) == "unknown")
  }

  @Test("behind trusted proxies it is the last address that is not one of them")
  func forwarded() {
    let trusted = ["10.0.0.0/8", "2001:db8::/32"]
    #expect(
      address(peer: "10.0.0.1", forwarded: ["1.1.1.1, 203.0.113.9, 10.2.3.4"], trusted: trusted)
        == "203.0.113.9")
    #expect(
      address(peer: "10.0.0.1", forwarded: ["203.0.113.9", "10.2.3.4"], trusted: trusted) == "203.0.113.9")
    #expect(address(peer: "2001:db8::5", forwarded: ["203.0.113.9"], trusted: trusted) == "203.0.113.9")
    #expect(address(peer: "10.0.0.1", trusted: trusted) == "10.0.0.1")
    #expect(address(peer: "192.0.2.1", forwarded: ["203.0.113.9"], trusted: trusted) == "192.0.2.1")
  }

  @Test("a range holds the addresses that share its first bits")
  func ranges() throws {
    let range = try #require(AddressRange("192.0.2.128/25"))
    #expect(range.contains("192.0.2.128") && range.contains("192.0.2.255"))
    #expect(!range.contains("192.0.2.127") && !range.contains("::1") && !range.contains("nonsense"))
    #expect(try #require(AddressRange("0.0.0.0/0")).contains("8.8.8.8"))
    #expect(try #require(AddressRange("::1")).contains("::1"))
  }

  @Test(
    "what is no range is refused",
    arguments: ["", "10.0.0.0/33", "10.0.0/8", "::1/129", "10.0.0.0/-1", "host/8", "1.1.1.1/2/3"])
  func invalid(text: String) { #expect(AddressRange(text) == nil) }
}
