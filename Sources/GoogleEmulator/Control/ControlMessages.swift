import HTTP
import Primitives

/// `/_emulator/messages`: mail arrives, or is deleted for good.
struct ControlMessages: Sendable {
  let core: EmulatorCore

  private struct Delivery {
    let raw: [UInt8]
    var labelIDs = ["INBOX", "UNREAD"]
    var internalDate: Int64?
    var threadID: String?
  }

  /// Takes JSON, `{"email","raw"}` and optionally `labelIds`, `internalDate`, `threadId`; or, with the address in
  /// the query, the message itself, under any type but `application/json`.
  @Sendable func deliver(_ request: HTTPRequest) throws(ControlError) -> JSONValue {
    let delivery: Delivery
    let email: String
    let type = request.fields["Content-Type"].map { ParameterizedField($0).value }
    if type != "application/json", let named = Parameters(query: request).nonEmpty("email") {
      delivery = Delivery(raw: request.body)
      email = named
    } else {
      let body = try ControlBody(request)
      delivery = try read(body)
      email = try body.required("email")
    }
    guard !delivery.raw.isEmpty else { throw ControlError("The message is empty.") }
    let arrival = core.withState { _, now in now }
    let mail = Mail(raw: delivery.raw, arrival: arrival)
    let stored = try core.withState { (state, now) throws(ControlError) -> StoredMessage in
      let account = try account(email, state)
      return state.deliver(
        mail, to: account, labelIDs: delivery.labelIDs, internalDate: delivery.internalDate,
        threadID: delivery.threadID, at: now)
    }
    return [
      "id": .string(stored.id), "threadId": .string(stored.threadID),
      "historyId": .string(String(stored.historyID)),
      "internalDate": .string(String(stored.internalDate)),
      "labelIds": .array(stored.labelIDs.map { .string($0) }),
    ]
  }

  /// `?email=...&id=...`: what a client listed a moment ago is gone when it asks for it.
  @Sendable func delete(_ request: HTTPRequest) throws(ControlError) -> JSONValue {
    let query = Parameters(query: request)
    try core.withState { (state, now) throws(ControlError) in
      let account = try account(query["email"] ?? "", state)
      guard state.mailboxes[account.sub]?.delete(query["id"] ?? "", at: now) == true else {
        throw ControlError("There is no such message in this mailbox.")
      }
    }
    return ["ok": true]
  }

  private func account(_ email: String, _ state: EmulatorState) throws(ControlError) -> Account {
    guard let account = state.directory.find(email: email) else {
      throw ControlError(email.isEmpty ? "`email` is missing." : "There is no account \(email).")
    }
    return account
  }

  private func read(_ body: ControlBody) throws(ControlError) -> Delivery {
    let text = try body.required("raw")
    // A message has a colon in its first line; base64url has none anywhere.
    let raw = text.contains(":") ? Array(text.utf8) : LenientBase64.decode(text.utf8)
    guard let raw else { throw ControlError("`raw` must be the message as base64url or as text.") }
    var delivery = Delivery(raw: raw)
    if let labels = try body.texts("labelIds") { delivery.labelIDs = labels }
    delivery.internalDate = try body.milliseconds("internalDate")
    delivery.threadID = try body.text("threadId")
    return delivery
  }
}

extension ControlBody {
  /// Milliseconds since 1970, as a number or, like Google writes them, as a string.
  fileprivate func milliseconds(_ name: String) throws(ControlError) -> Int64? {
    if let text = try? text(name) {
      guard let number = Int64(text) else { throw ControlError("`\(name)` must be milliseconds since 1970.") }
      return number
    }
    return try whole(name, in: -62_135_596_800_000...253_402_300_799_999)
  }
}
