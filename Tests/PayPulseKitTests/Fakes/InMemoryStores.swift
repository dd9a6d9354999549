import PayPulseKit

actor InMemoryUndeliveredTokensStore: UndeliveredTokensStore {
  private(set) var records: [UndeliveredTokens.Owner: UndeliveredTokens] = [:]
  private(set) var saved: [UndeliveredTokens.Stage] = []
  private var isFull = false

  func load(_ owner: UndeliveredTokens.Owner) -> UndeliveredTokens? { records[owner] }
  func save(_ tokens: UndeliveredTokens) throws(StorageError) {
    guard !isFull else { throw .file(path: "full", code: 28) }
    records[tokens.owner] = tokens
    saved.append(tokens.stage)
  }
  func remove(_ owner: UndeliveredTokens.Owner) { records[owner] = nil }
  func removeAll() throws(StorageError) {
    guard !isFull else { throw .file(path: "locked", code: 1) }
    records = [:]
  }
  func fill() { isFull = true }
  func lock() { isFull = true }
  func unlock() { isFull = false }
}

actor InMemorySessionStore: SessionStore {
  private(set) var session: Session?
  func load() -> Session? { session }
  func save(_ session: Session) { self.session = session }
  func remove() { session = nil }
}
