import Primitives
import Testing

@testable import GoogleEmulator

@Suite struct RedirectURITests {
  @Test(arguments: [
    ("com.googleusercontent.apps.111-app:/oauth2callback", true),
    ("COM.googleusercontent.apps.111-APP:/x?y=z", true), ("com.googleusercontent.apps.111-app:", true),
    ("com.googleusercontent.apps.222:/x", false), ("com.example.app:/x", false),
    ("http://127.0.0.1:9000/", false), ("com.googleusercontent.apps.111-app:/x#y", false),
  ])
  func `an iOS client has its reversed id as scheme`(text: String, fits: Bool) {
    #expect(RedirectURI(text)?.fits(OAuthClient(id: Bench.ios)) ?? false == fits)
  }

  @Test(arguments: [
    ("http://127.0.0.1:9000/a/b", true), ("http://localhost:1", true), ("http://[::1]:9/x", true),
    ("http://localhost/", true), ("https://localhost/", false), ("http://127.0.0.1.evil.example/", false),
    ("http://127.0.0.1:9000@evil.example/", false), ("http://10.0.0.1:9/", false),
    ("http://[::1]x:9/", false),
    ("com.googleusercontent.apps.444-desktop:/x", false),
  ])
  func `a desktop client has loopback addresses`(text: String, fits: Bool) {
    #expect(RedirectURI(text)?.fits(OAuthClient(id: Bench.desktop, kind: .desktop)) ?? false == fits)
  }

  @Test(arguments: [
    ("https://app.example/back", true), ("http://localhost:3000/back", true), ("http://app.example/", false),
    ("https://user@app.example/", false), ("custom:/x", false),
  ])
  func `a web client has https or loopback addresses`(text: String, fits: Bool) {
    #expect(RedirectURI(text)?.fits(OAuthClient(id: Bench.web, kind: .web)) ?? false == fits)
  }

  @Test func `parameters join a query that is already there`() {
    #expect(RedirectURI("https://a.example/?x=1")?.adding("y=2") == "https://a.example/?x=1&y=2")
    #expect(RedirectURI("https://a.example/")?.adding("y=2") == "https://a.example/?y=2")
  }
}
