import HTTP
import Primitives
import Testing

@testable import GoogleEmulator

@Suite struct GmailListTests {
  let bench = Bench()

  private func ids(_ reply: Reply) -> [String] {
    reply.json["messages"]?.array?.compactMap { $0["id"]?.string } ?? []
  }

  /// Five messages; the ids, newest first.
  private func fill() async -> [String] {
    var ids: [String] = []
    for (number, hour) in [3, 1, 5, 2, 4].enumerated() {
      let date = "Wed, 17 Jul 2024 0\(hour):00:00 +0000"
      let id = await bench.deliver(Messages.plain(subject: "Number \(number)", date: date))
      ids.append(id)
    }
    return [ids[2], ids[4], ids[0], ids[3], ids[1]]
  }

  @Test func `J4: a list is newest first, whatever the order of arrival`() async {
    let order = await fill()
    #expect(ids(await bench.gmail("messages", token: await bench.mint().accessToken)) == order)
  }

  @Test func `J4: neighbours can be swapped on request`() async {
    let order = await fill()
    await bench.control("settings", ["swap_list_neighbours": true])
    let token = await bench.mint().accessToken
    let expected = [order[1], order[0], order[3], order[2], order[4]]
    #expect(ids(await bench.gmail("messages", token: token)) == expected)
    var seen: [String] = []
    var page = ""
    repeat {
      let reply = await bench.gmail("messages?maxResults=1\(page)", token: token)
      seen += ids(reply)
      page = reply.text("nextPageToken").isEmpty ? "" : "&pageToken=" + reply.text("nextPageToken")
    } while !page.isEmpty
    #expect(seen == expected)
  }

  @Test func `pages follow each other although mail arrives and goes between them`() async {
    let order = await fill()
    let token = await bench.mint().accessToken
    let first = await bench.gmail("messages?maxResults=2", token: token)
    #expect(ids(first) == Array(order[0..<2]))
    await bench.deliver(Messages.plain(subject: "New", date: "Thu, 18 Jul 2024 00:00:00 +0000"))
    _ = await bench.send(.delete, "/_emulator/messages?email=\(Bench.alice)&id=\(order[1])")
    let second = await bench.gmail(
      "messages?maxResults=2&pageToken=\(first.text("nextPageToken"))", token: token)
    #expect(ids(second) == Array(order[2..<4]))
    let third = await bench.gmail("messages?pageToken=\(second.text("nextPageToken"))", token: token)
    #expect(ids(third) == [order[4]] && third.json["nextPageToken"] == nil)
  }

  @Test func `a page token belongs to its query and its mailbox`() async {
    _ = await fill()
    let token = await bench.mint().accessToken
    let next = await bench.gmail("messages?maxResults=2", token: token).text("nextPageToken")
    #expect(await bench.gmail("messages?q=number&pageToken=\(next)", token: token).status == 400)
    let bob = await bench.mint(Bench.bob).accessToken
    #expect(await bench.gmail("messages?pageToken=\(next)", token: bob).status == 400)
    #expect(await bench.gmail("messages?pageToken=junk", token: token).status == 400)
  }

  @Test func `nothing found means no messages key`() async {
    let reply = await bench.gmail("messages", token: await bench.mint().accessToken)
    #expect(reply.json == ["resultSizeEstimate": 0])
  }

  @Test func `J5: milliseconds where seconds are due find nothing`() async {
    _ = await fill()
    let token = await bench.mint().accessToken
    #expect(
      await bench.gmail("messages?q=after:1700000000000", token: token).json == ["resultSizeEstimate": 0])
    #expect(ids(await bench.gmail("messages?q=after:1700000000", token: token)).count == 5)
  }

  @Test func `labels restrict together, spam and trash only when asked`() async {
    let token = await bench.mint().accessToken
    let inbox = await bench.deliver(Messages.plain(subject: "a"))
    let spam = await bench.deliver(Messages.plain(subject: "b"), ["labelIds": ["SPAM", "UNREAD"]])
    let sent = await bench.deliver(Messages.plain(subject: "c"), ["labelIds": ["SENT"]])
    func listed(_ query: String) async -> Set<String> {
      Set(ids(await bench.gmail("messages?\(query)", token: token)))
    }
    #expect(await listed("") == [inbox, sent])
    #expect(await listed("includeSpamTrash=true") == [inbox, spam, sent])
    #expect(await listed("q=in:spam") == [spam])
    #expect(await listed("q=in:anywhere") == [inbox, spam, sent])
    #expect(await listed("labelIds=INBOX&labelIds=UNREAD") == [inbox])
    #expect(await listed("labelIds=SPAM") == [spam])
    #expect(await bench.gmail("messages?maxResults=x", token: token).status == 400)
  }

  @Test func `messages that belong together share a thread`() async {
    let first = await bench.control(
      "messages", ["email": "alice@example.com", "raw": .string(Messages.plain())])
    let nextMonth = Messages.plain(date: "Wed, 21 Aug 2024 08:00:00 +0200", id: "m2@landlord.example")
    let later = await bench.control("messages", ["email": "alice@example.com", "raw": .string(nextMonth)])
    let nextDay = Messages.plain(date: "Thu, 18 Jul 2024 08:00:00 +0200", id: "m3@landlord.example")
    let soon = await bench.control("messages", ["email": "alice@example.com", "raw": .string(nextDay)])
    let answer =
      "In-Reply-To: <m2@landlord.example>\n" + Messages.plain(subject: "Re: Hyresavi", from: "a@b.example")
    let reply = await bench.control("messages", ["email": "alice@example.com", "raw": .string(answer)])
    #expect(first.text("threadId") == first.text("id") && soon.text("threadId") == first.text("id"))
    #expect(later.text("threadId") == later.text("id") && reply.text("threadId") == later.text("id"))
  }
}
