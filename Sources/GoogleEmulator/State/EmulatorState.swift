import Primitives

/// All that changes while an emulator runs, as one value.
struct EmulatorState: Sendable {
  var directory = AccountDirectory()
  var ledger = TokenLedger()
  var transactions = ConsentTransactions()
  /// By `sub`; an account without one has an empty mailbox.
  var mailboxes: [String: Mailbox] = [:]
  var quota = QuotaMeter()
  var settings = EmulatorSettings()
  var faults = FaultQueue()
  var counts: [Endpoint: Int64] = [:]
  /// How far the clock has been moved ahead of the real one.
  var advanced = Duration.zero
}

extension EmulatorState {
  /// How an emulator begins.
  init(_ configuration: EmulatorConfiguration, at now: Timestamp) {
    ledger = TokenLedger(clients: Set(configuration.clients.map(\.id)))
    for account in configuration.accounts { directory.put(account) }
    settings.autoConsent = configuration.autoConsent
    for seed in configuration.messages {
      guard let account = directory.find(email: seed.email) else { continue }
      _ = deliver(Mail(raw: seed.raw, arrival: seed.arrival), to: account, at: now)
    }
  }

  /// The account's mail.
  func mailbox(of account: Account) -> Mailbox { mailboxes[account.sub] ?? Mailbox() }

  /// Puts a message into the account's mailbox.
  mutating func deliver(
    _ mail: Mail, to account: Account, labelIDs: [String] = ["INBOX", "UNREAD"], internalDate: Int64? = nil,
    threadID: String? = nil, at now: Timestamp
  ) -> StoredMessage {
    mailboxes[account.sub, default: Mailbox()].add(
      mail, labelIDs: labelIDs, internalDate: internalDate, threadID: threadID, owner: account.sub, at: now)
  }
}
