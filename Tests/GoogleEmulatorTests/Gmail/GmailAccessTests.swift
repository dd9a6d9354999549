import HTTP
import Primitives
import Testing

@testable import GoogleEmulator

@Suite struct GmailAccessTests {
  let bench = Bench()

  @Test func `B9: another address in the path is 403 Delegation denied`() async {
    let token = await bench.mint().accessToken
    let reply = await bench.get("/gmail/v1/users/\(Bench.bob)/messages", token: token)
    #expect(reply.status == 403)
    #expect(reply.json["error"]?["message"] == "Delegation denied for alice@example.com")
    #expect(await bench.get("/gmail/v1/users/ALICE%40example.com/messages", token: token).status == 200)
  }

  @Test func `without a token, and with a bad one, it is 401 in Google's envelope`() async {
    let none = await bench.get("/gmail/v1/users/me/profile")
    #expect(none.status == 401 && none.json["error"]?["errors"]?.array?.first?["reason"] == "required")
    #expect(none.response.fields["WWW-Authenticate"] == #"Bearer realm="https://accounts.google.com/""#)
    let bad = await bench.gmail("profile", token: "ya29.no")
    #expect(bad.json["error"]?["errors"]?.array?.first?["reason"] == "authError")
    #expect(bad.response.fields["WWW-Authenticate"]?.hasSuffix(#"error="invalid_token""#) == true)
  }

  @Test func `without a mail scope it is 403 with the scopes that would do`() async {
    let token = await bench.mint(scope: "openid email").accessToken
    let reply = await bench.gmail("messages", token: token)
    let error = reply.json["error"]
    #expect(reply.status == 403 && error?["status"] == "PERMISSION_DENIED")
    #expect(error?["errors"]?.array?.first?["reason"] == "insufficientPermissions")
    #expect(error?["details"]?.array?.first?["reason"] == "ACCESS_TOKEN_SCOPE_INSUFFICIENT")
    #expect(reply.response.fields["WWW-Authenticate"]?.contains("insufficient_scope") == true)
    #expect(reply.response.fields["WWW-Authenticate"]?.contains(Bench.readonly) == true)
  }

  @Test(arguments: [
    "https://mail.google.com/", "https://www.googleapis.com/auth/gmail.modify", Bench.readonly,
  ])
  func `each of the reading scopes is enough`(scope: String) async {
    #expect(
      await bench.gmail("messages?q=x", token: await bench.mint(scope: scope).accessToken).status == 200)
  }

  @Test func `the metadata scope allows no search, no body and no attachment`() async {
    let token = await bench.mint(scope: "https://www.googleapis.com/auth/gmail.metadata").accessToken
    let id = await bench.deliver(Messages.nested)
    let search = await bench.gmail("messages?q=x", token: token)
    #expect(search.status == 403)
    #expect(search.json["error"]?["message"] == "Metadata scope does not support 'q' parameter")
    #expect(await bench.gmail("messages", token: token).status == 200)
    #expect(await bench.gmail("messages/\(id)", token: token).status == 403)
    #expect(await bench.gmail("messages/\(id)?format=raw", token: token).status == 403)
    #expect(await bench.gmail("messages/\(id)?format=metadata", token: token).status == 200)
    #expect(await bench.gmail("messages/\(id)/attachments/x", token: token).status == 403)
  }

  @Test func `quota units run out within a minute and come back with the next`() async {
    await bench.control("settings", ["quota_units_per_minute": 25])
    let token = await bench.mint().accessToken
    let id = await bench.deliver(Messages.plain())
    #expect(await bench.gmail("messages/\(id)", token: token).status == 200)
    #expect(await bench.gmail("messages", token: token).status == 200)
    let over = await bench.gmail("profile", token: token)
    #expect(over.status == 429 && over.json["error"]?["status"] == "RESOURCE_EXHAUSTED")
    #expect(
      over.json["error"]?["message"]?.string?.hasPrefix("User-rate limit exceeded.  Retry after 20") == true)
    #expect(over.response.fields["Retry-After"].flatMap(Int.init).map { (1...60).contains($0) } == true)
    #expect(await bench.gmail("profile", token: await bench.mint(Bench.bob).accessToken).status == 200)
    await bench.advance(seconds: 60)
    #expect(await bench.gmail("profile", token: token).status == 200)
  }

  @Test func `a profile names the mailbox and its totals`() async {
    await bench.deliver(Messages.plain())
    await bench.deliver(Messages.plain(subject: "Other"))
    let profile = await bench.gmail("profile", token: await bench.mint().accessToken).json
    #expect(profile["emailAddress"] == "alice@example.com" && profile["messagesTotal"] == 2)
    #expect(profile["threadsTotal"] == 2 && profile["historyId"]?.string.flatMap(UInt64.init) != nil)
  }

  @Test func `labels are the system's and those in use`() async {
    let token = await bench.mint().accessToken
    await bench.deliver(Messages.plain(), ["labelIds": ["INBOX", "Label_7"]])
    let labels = await bench.gmail("labels", token: token).json["labels"]?.array ?? []
    #expect(labels.contains(["id": "SPAM", "name": "SPAM", "type": "system"]))
    #expect(labels.contains(["id": "Label_7", "name": "Label_7", "type": "user"]))
    #expect(await bench.gmail("labels/INBOX", token: token).json["messagesTotal"] == 1)
    #expect(await bench.gmail("labels/none", token: token).status == 404)
  }

  @Test func `an unknown Gmail path is a 404 page`() async {
    #expect(await bench.gmail("drafts", token: "x").status == 404)
  }
}
