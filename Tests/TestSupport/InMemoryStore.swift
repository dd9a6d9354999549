import Domain
import Primitives
import Synchronization

/// Everything that the in-memory adapters keep, behind one lock, so that their promises span all of them.
package final class InMemoryStore: Sendable {
  struct StoredValue {
    enum Content {
      case tokens(OAuthTokens)
      case unusable
    }
    var content: Content
    let subject: GoogleSubject
    let version: String

    var secret: StoredSecret {
      switch content {
      case .tokens(let tokens): .tokens(tokens, grantID: tokens.grantID ?? GrantID(version))
      case .unusable: .unusable
      }
    }
  }
  struct Aside {
    let user: UserID
    /// Nil where the value did not open.
    let tokens: OAuthTokens?
    let since: Timestamp
    let reason: ConnectionReason

    var summary: AsideSecret? { tokens.map { AsideSecret($0, since: since) } }
  }
  struct QueuedOrder {
    let order: RevocationOrder
    var nextAttemptAt: Timestamp
  }
  struct Mark {
    let orderID: String
    var mark: RevocationMark
  }
  struct CountedRefresh {
    let result: RefreshResult
    let user: UserID
    let at: Timestamp
  }
  struct State {
    var isAvailable = true
    var nextVersion = 1
    var users: [UserID: User] = [:]
    var connections: [UserID: GmailConnection] = [:]
    var secrets: [UserID: StoredValue] = [:]
    var asides: [Aside] = []
    var leases: [UserID: RefreshLease] = [:]
    var orders: [String: QueuedOrder] = [:]
    var marks: [GoogleSubject: Mark] = [:]
    var refreshes: [CountedRefresh] = []
    var brakeSince: Timestamp?
  }

  let time: TimeSource
  private let state = Mutex(State())

  /// An empty store; `time` dates what it sets aside of its own accord.
  package init(time: TimeSource) { self.time = time }

  /// Whether it answers; while it does not, everything throws `StoreError.unavailable`.
  package var isAvailable: Bool {
    get { state.withLock { $0.isAvailable } }
    set { state.withLock { $0.isAvailable = newValue } }
  }

  /// Makes the stored secret of `user` a value that does not open.
  package func corruptSecret(of user: UserID) { state.withLock { $0.secrets[user]?.content = .unusable } }

  /// The orders that are queued, the oldest first.
  package var revocationOrders: [RevocationOrder] {
    state.withLock { $0.orders.values.map(\.order).sorted { $0.queuedAt < $1.queuedAt } }
  }

  /// Runs `body` alone; what it changed is forgotten when it throws.
  func transaction<Result>(_ body: (inout State) throws(StoreError) -> sending Result) throws(StoreError)
    -> sending Result
  {
    try state.withLock { (state) throws(StoreError) in
      guard state.isAvailable else { throw .unavailable }
      var changed = state
      let result = try body(&changed)
      state = changed
      return result
    }
  }
}
