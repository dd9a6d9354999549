import Domain
import Testing

@Suite("GrantedScopes")
struct GrantedScopesTests {
  @Test(
    "G6: spaces, commas and both, each scope once, in order",
    arguments: [
      ("a b", ["a", "b"]), ("a,b", ["a", "b"]), ("a  b", ["a", "b"]), (" a, b ,a ", ["a", "b"]), ("", []),
    ])
  func reads(text: String, scopes: [String]) {
    #expect(GrantedScopes(text).values == scopes)
    #expect(GrantedScopes(text).joined == scopes.joined(separator: " "))
  }

  @Test(
    "Each scope once, also among many, and the same whether they came as a text or as a list",
    arguments: [2, 8, 9, 500])
  func many(count: Int) {
    let scopes = (0..<count).map { "scope\($0)" }
    let twice = GrantedScopes(scopes + scopes.reversed())
    #expect(twice.values == scopes)
    #expect(twice == GrantedScopes(scopes.joined(separator: ",")))
  }

  @Test(
    "Only whole-message scopes can read mail",
    arguments: [
      ("https://www.googleapis.com/auth/gmail.readonly", true),
      ("https://www.googleapis.com/auth/gmail.modify", true), ("https://mail.google.com/", true),
      ("https://www.googleapis.com/auth/gmail.metadata", false),
      ("https://www.googleapis.com/auth/gmail.readonly.not", false),
      ("gmail.readonly", false), ("openid email", false), ("", false),
    ])
  func canReadMail(text: String, can: Bool) { #expect(GrantedScopes(text).canReadMail == can) }

  @Test(
    "3.1.8: the asked ones that are granted come first, in the asked order, then the others, sorted",
    arguments: [
      ("c a x", "a b c d", "c a b d"), ("", "b a", "a b"), ("x y", "b a", "a b"), ("a b", "b a", "a b"),
      ("aa b", "a bb", "a bb"), ("b", "a b", "b a"), ("a b", "b", "b"),
      ("profile email", "https://www.googleapis.com/auth/userinfo.email openid", "email openid"),
      (
        "https://www.googleapis.com/auth/userinfo.email", "https://www.googleapis.com/auth/userinfo.email",
        "https://www.googleapis.com/auth/userinfo.email"
      ),
    ])
  func ordered(asked: String, granted: String, reply: String) {
    #expect(GrantedScopes(granted).ordered(like: GrantedScopes(asked)).joined == reply)
  }
}
