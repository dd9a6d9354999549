import HTTP
import Primitives
import Testing

@testable import GoogleEmulator

@Suite struct GmailHistoryTests {
  let bench = Bench()

  private func historyID(_ token: String) async -> String {
    await bench.gmail("profile", token: token).text("historyId")
  }

  @Test func `without changes there is no history key, but the newest id`() async {
    let token = await bench.mint().accessToken
    await bench.deliver(Messages.plain())
    let start = await historyID(token)
    let reply = await bench.gmail("history?startHistoryId=\(start)", token: token)
    #expect(reply.json == ["historyId": .string(start)])
  }

  @Test func `what came and went since is listed, page by page`() async {
    let token = await bench.mint().accessToken
    await bench.deliver(Messages.plain())
    let start = await historyID(token)
    let first = await bench.deliver(Messages.plain(subject: "a"))
    let second = await bench.deliver(Messages.plain(subject: "b"), ["labelIds": ["SENT"]])
    _ = await bench.send(.delete, "/_emulator/messages?email=\(Bench.alice)&id=\(first)")
    let page = await bench.gmail("history?startHistoryId=\(start)&maxResults=2", token: token).json
    let records = page["history"]?.array ?? []
    #expect(records.count == 2)
    #expect(records[0]["messages"]?.array?.first?["id"] == .string(first))
    #expect(records[1]["messagesAdded"]?.array?.first?["message"]?["labelIds"] == ["SENT"])
    let next = page["nextPageToken"]?.string ?? ""
    let rest = await bench.gmail("history?startHistoryId=\(start)&pageToken=\(next)", token: token).json
    #expect(rest["history"]?.array?.first?["messagesDeleted"] != nil && rest["nextPageToken"] == nil)
    let added = await bench.gmail("history?startHistoryId=\(start)&historyTypes=messageDeleted", token: token)
    #expect(added.json["history"]?.array?.count == 1)
    let sent = await bench.gmail("history?startHistoryId=\(start)&labelId=SENT", token: token)
    #expect(sent.json["history"]?.array?.first?["messages"]?.array?.first?["id"] == .string(second))
  }

  @Test func `an id is good for a week after the next change, and for ever without one`() async {
    let token = await bench.mint().accessToken
    await bench.deliver(Messages.plain())
    let start = await historyID(token)
    await bench.advance(days: 30)
    let later = await bench.mint().accessToken
    #expect(await bench.gmail("history?startHistoryId=\(start)", token: later).status == 200)
    await bench.deliver(Messages.plain(subject: "a"))
    await bench.advance(days: 7)
    let stillGood = await bench.mint().accessToken
    #expect(await bench.gmail("history?startHistoryId=\(start)", token: stillGood).status == 200)
    await bench.advance(seconds: 1)
    #expect(await bench.gmail("history?startHistoryId=\(start)", token: stillGood).status == 404)
  }

  @Test(arguments: [("0", 400), ("x", 400), ("", 400), ("1", 404), ("99999999", 404)])
  func `an id that was never given out is refused`(start: String, status: Int) async {
    let token = await bench.mint().accessToken
    #expect(await bench.gmail("history?startHistoryId=\(start)", token: token).status == status)
  }
}
