import Primitives
import Testing

@Suite("Secret")
struct SecretTests {
  private struct Holder {
    let token = Secret("ya29.hush")
    let more = [Secret("1//hush")]
  }

  @Test("D5, D6: no way of printing a secret shows it, alone or inside something else")
  func neverPrints() {
    let secret = Secret("ya29.hush")
    let optional: Secret? = secret
    var dumped = ""
    dump(secret, to: &dumped)
    dump(Holder(), to: &dumped)
    var printed = ""
    print(secret, Holder(), [secret], ["k": secret], optional as Any, to: &printed)
    let texts = [
      dumped, printed, "\(secret)", "\(Holder())", "\([secret])", String(describing: secret),
      String(reflecting: secret), String(reflecting: Holder()), String(describing: optional),
      secret.debugDescription,
    ]
    for text in texts {
      #expect(!text.contains("hush"))
      #expect(text.contains("<redacted>"))
    }
  }

  @Test("D5, D6: a mirror of a secret has nothing in it")
  func mirror() {
    #expect(Mirror(reflecting: Secret("hush")).children.isEmpty)
    #expect(Mirror(reflecting: Secret("hush")).superclassMirror == nil)
  }

  @Test("A secret cannot be encoded by accident")
  func isNotEncodable() {
    #expect(!((Secret("hush") as Any) is any Encodable))
    #expect(!((Secret("hush") as Any) is any CustomStringConvertible & LosslessStringConvertible))
  }

  @Test("It is exposed in one way, compares by its text, and knows when it is empty")
  func exposes() {
    #expect(Secret("a").expose() == "a")
    #expect(Secret("a") == Secret("a") && Secret("a") != Secret("b"))
    #expect(Secret("").isEmpty && !Secret("a").isEmpty)
  }
}
