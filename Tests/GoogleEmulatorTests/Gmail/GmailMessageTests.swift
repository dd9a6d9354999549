import HTTP
import Primitives
import Testing

@testable import GoogleEmulator

@Suite struct GmailMessageTests {
  let bench = Bench()

  private func payload(_ id: String, _ token: String) async -> JSONValue {
    await bench.gmail("messages/\(id)", token: token).json["payload"] ?? .null
  }

  private func part(_ payload: JSONValue, _ path: Int...) -> JSONValue {
    path.reduce(payload) { $0["parts"]?.array?[$1] ?? .null }
  }

  private func decoded(_ data: JSONValue?) -> String {
    String(decoding: LenientBase64.decode((data?.string ?? "").utf8) ?? [], as: UTF8.self)
  }

  @Test func `a full message is a tree of parts with decoded names and headers in order`() async {
    let token = await bench.mint().accessToken
    let id = await bench.deliver(Messages.nested)
    let reply = await bench.gmail("messages/\(id)", token: token).json
    let payload = reply["payload"] ?? .null
    let headers = payload["headers"]?.array ?? []
    #expect(headers.prefix(2).allSatisfy { $0["name"] == "Received" })
    #expect(headers.contains(["name": "Subject", "value": "Räkning för maj"]))
    #expect(headers.contains(["name": "From", "value": "Hyresvärden <rent@landlord.example>"]))
    #expect(
      payload["partId"] == "" && payload["mimeType"] == "multipart/mixed" && payload["body"] == ["size": 0])
    #expect(part(payload, 0, 1)["partId"] == "0.1" && part(payload, 0, 1)["mimeType"] == "text/html")
    let pdf = part(payload, 1)
    #expect(pdf["filename"] == "Räkning.pdf" && pdf["body"]?["size"] == 8 && pdf["body"]?["data"] == nil)
    #expect(reply["internalDate"] == "1721196729000" && reply["labelIds"] == ["INBOX", "UNREAD"])
    #expect(reply["historyId"]?.string != nil && reply["sizeEstimate"]?.integer != nil)
  }

  @Test func `a body text comes in UTF-8 with padding, whatever the sender used`() async {
    let token = await bench.mint().accessToken
    let id = await bench.deliver(Messages.nested)
    let text = part(await payload(id, token), 0, 0)["body"] ?? .null
    #expect(decoded(text["data"]) == "Hyra år 2024 <med> & utan")
    #expect(text["data"]?.string?.count.isMultiple(of: 4) == true && text["size"] == 26)
  }

  @Test func `a snippet is the escaped beginning of the text`() async {
    let token = await bench.mint().accessToken
    let id = await bench.deliver(Messages.nested)
    let reply = await bench.gmail("messages/\(id)?format=minimal", token: token).json
    #expect(reply["snippet"] == "Hyra år 2024 &lt;med&gt; &amp; utan")
    #expect(reply["payload"] == nil && reply["raw"] == nil)
  }

  @Test func `raw is byte for byte what arrived`() async {
    let token = await bench.mint().accessToken
    let raw: [UInt8] = Array("Subject: x\r\n\r\n".utf8) + [0xE9, 0x00, 0xFF]
    let encoded = Base64URL.encode(raw)
    let id = await bench.deliver(encoded)
    let reply = await bench.gmail("messages/\(id)?format=raw", token: token)
    #expect(LenientBase64.decode(reply.text("raw").utf8) == raw && reply.json["payload"] == nil)
  }

  @Test func `an attachment has a new id in each reply, good for an hour and for its message`() async {
    let token = await bench.mint().accessToken
    let id = await bench.deliver(Messages.nested)
    let other = await bench.deliver(Messages.nested)
    let first = part(await payload(id, token), 1)["body"]?["attachmentId"]?.string ?? ""
    let second = part(await payload(id, token), 1)["body"]?["attachmentId"]?.string ?? ""
    #expect(first != second && !first.isEmpty)
    for name in [first, second] {
      let reply = await bench.gmail("messages/\(id)/attachments/\(name)", token: token).json
      #expect(reply == ["size": 8, "data": "JVBERi0xLjQ="])
    }
    #expect(await bench.gmail("messages/\(other)/attachments/\(first)", token: token).status == 400)
    await bench.advance(seconds: 3600)
    let late = await bench.gmail("messages/\(id)/attachments/\(first)", token: await bench.mint().accessToken)
    #expect(late.status == 400 && late.json["error"]?["message"] == "Invalid attachment token")
  }

  @Test func `an attached message has its own id and its parts below it`() async {
    let token = await bench.mint().accessToken
    let payload = await payload(await bench.deliver(Messages.forwarded), token)
    let attached = part(payload, 1)
    #expect(attached["mimeType"] == "message/rfc822" && attached["filename"] == "noname.eml")
    #expect(attached["body"]?["attachmentId"] != nil)
    let inner = part(payload, 1, 0)
    #expect(
      inner["partId"] == "1.0"
        && inner["headers"]?.array?.contains(["name": "Subject", "value": "Faktura"]) == true)
    #expect(part(payload, 1, 0, 1)["filename"] == "f.pdf" && part(payload, 1, 0, 1)["partId"] == "1.0.1")
  }

  @Test func `a nameless PDF has an empty filename and an attachmentId`() async {
    let text = "Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\nJVBERi0xLjQ=\n"
    let payload = await payload(await bench.deliver(text), await bench.mint().accessToken)
    #expect(payload["filename"] == "" && payload["body"]?["attachmentId"] != nil && payload["parts"] == nil)
  }

  @Test func `metadata has the headers asked for, in any case`() async {
    let token = await bench.mint().accessToken
    let id = await bench.deliver(Messages.nested)
    let path = "messages/\(id)?format=metadata&metadataHeaders=subject&metadataHeaders=DATE"
    let headers = await bench.gmail(path, token: token).json["payload"]?["headers"]?.array ?? []
    #expect(headers.compactMap { $0["name"]?.string } == ["Subject", "Date"])
  }

  @Test func `a message that is gone is 404, and junk for an id is 400`() async {
    let token = await bench.mint().accessToken
    let id = await bench.deliver(Messages.nested)
    #expect(await bench.send(.delete, "/_emulator/messages?email=\(Bench.alice)&id=\(id)").status == 200)
    #expect(await bench.gmail("messages/\(id)", token: token).status == 404)
    #expect(await bench.gmail("messages/not-an-id", token: token).status == 400)
    #expect(await bench.gmail("messages/\(id)?format=loud", token: token).status == 400)
  }

  @Test(arguments: ["a/", "a(", "id,a("])
  func `no depth of a fields mask ends the process`(step: String) async {
    let token = await bench.mint().accessToken
    let mask = String(repeating: step, count: 100_000)
    let reply = await bench.gmail("profile?fields=emailAddress,\(mask)", token: token)
    #expect(reply.status == 200 && reply.json["emailAddress"]?.string == Bench.alice)
  }

  @Test func `fields reduces a reply`() async {
    let token = await bench.mint().accessToken
    let id = await bench.deliver(Messages.plain())
    let reply = await bench.gmail("messages/\(id)?fields=id,payload(headers/name,mimeType)", token: token)
      .json
    #expect(reply.object?.keys.sorted() == ["id", "payload"])
    #expect(reply["payload"]?.object?.keys.sorted() == ["headers", "mimeType"])
    #expect(reply["payload"]?["headers"]?.array?.first == ["name": "From"])
  }
}
