import Primitives

/// Copies every account from one place to another, and says of each whether it is there and equal.
///
/// - What is at the destination and differs stays, unless overwriting was asked for.
/// - A repeated run goes on where another ended, by looking at what is there.
/// - Not moved: what is set aside, revocations owed, counts of refreshes, leases.
/// - Users are paged through, and a few accounts are in work at once.
package struct MoveAccounts: Sendable {
  /// So many accounts are in work at once.
  private static let width = 4
  /// After so many failures in a row nothing more is tried: a place is out of reach.
  private static let mostFailures = 8

  private let source: AccountPlace
  private let destination: AccountPlace?
  private let mode: MoveMode
  private let digest: @Sendable ([UInt8]) -> [UInt8]
  private let time: TimeSource

  /// Moves from `source` to `destination`, which may be nil, for one that is yet to be made, in a dry run. `digest` is
  /// SHA-256: 32 bytes.
  package init(
    from source: AccountPlace, to destination: AccountPlace?, mode: MoveMode,
    digest: @escaping @Sendable ([UInt8]) -> [UInt8], time: TimeSource
  ) {
    self.source = source
    self.destination = destination
    self.mode = destination == nil ? MoveMode(isDryRun: true, overwrites: mode.overwrites) : mode
    self.digest = digest
    self.time = time
  }

  /// Moves; `tell` hears of each account as it is done. Fails when nothing could be begun.
  package func callAsFunction(telling tell: (MovedAccount) -> Void) async throws(MoveFailure) -> MoveSummary {
    var summary = MoveSummary(owed: try await countOwed(), digest: digest)
    let move = MoveAccount(
      source: source, destination: destination, mode: mode,
      addresses: try await SharedAddresses(source: source.users, destination: destination?.users),
      digest: digest, time: time)
    var last: UserID?
    var failures = 0
    repeat {
      let page: UserPage
      do throws(StoreError) {
        page = try await source.users.users(after: last, limit: AccountPlace.pageSize)
      } catch {
        summary.stop = .noList
        break
      }
      await self.move(page.users.map(\.id), by: move) { account in
        summary.count(account)
        failures = account.wasOutOfReach ? failures + 1 : 0
        if failures >= Self.mostFailures { summary.stop = .failures }
        tell(account)
        return summary.stop == nil
      }
      if Task.isCancelled { summary.stop = .cancelled }
      last = page.next
    } while last != nil && summary.stop == nil
    return summary
  }

  /// Moves a page of accounts while `goesOn` wants more, and nobody cancels.
  private func move(_ ids: [UserID], by move: MoveAccount, _ goesOn: (MovedAccount) -> Bool) async {
    await withTaskGroup(of: MovedAccount?.self) { group in
      var waiting = ids[...]
      var wantsMore = true
      for id in waiting.prefix(Self.width) { group.addTask { await move(id) } }
      waiting = waiting.dropFirst(Self.width)
      while let result = await group.next() {
        if let account = result, !goesOn(account) { wantsMore = false }
        guard wantsMore, !Task.isCancelled, let id = waiting.popFirst() else { continue }
        group.addTask { await move(id) }
      }
    }
  }

  private func countOwed() async throws(MoveFailure) -> Int {
    do throws(StoreError) {
      let end = Timestamp(microseconds: .max)
      return try await source.revocations.due(at: end, limit: MoveSummary.mostOwed).count
    } catch {
      throw .source
    }
  }
}
