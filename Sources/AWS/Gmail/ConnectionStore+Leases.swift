import Domain
import Primitives

/// Leases, which are part of the record: who takes one changes what others decide upon.
extension ConnectionStore {
  func acquireLease(on user: UserID, owner: String, now: Timestamp, until expiry: Timestamp)
    async throws(StoreError) -> LeaseAttempt
  {
    for _ in 0..<3 {
      let start = time.now()
      do throws(AWSError) {
        let item = try await take(user, owner: owner, now: now, until: expiry)
        recent.end(user)
        remember(item, of: user, since: recent.epoch, at: start)
        return .acquired(RefreshLease(owner: owner, fence: Self.fence(item), expiresAt: expiry))
      } catch {
        // Whoever writes the record at this very moment is as good as a holder: the caller looks again.
        if error.failure?.isConflict ?? false { return .held }
        guard let refusal = error.failure, refusal.isConditionalCheckFailed else {
          throw failure.error(error, in: "taking a lease")
        }
        if let item = refusal.item {
          // The repetition of one that was carried out.
          let isOurs =
            item[ConnectionRecord.leaseOwner]?.string == owner
            && item[ConnectionRecord.leaseExpiresAt]?.timestamp == expiry
          guard refusal.followsUnknownOutcome, isOurs else { return .held }
          return .acquired(RefreshLease(owner: owner, fence: Self.fence(item), expiresAt: expiry))
        }
      }
      // Never connected: there is no record yet.
      if case .noSuchUser = try await write(ConnectionRecord(), of: user, over: ConnectionRecord(), with: [])
      {
        throw .noSuchUser
      }
    }
    throw .unavailable
  }

  /// The record as the lease left it will do for the read that follows. It exists, so its user does.
  private func remember(_ item: DynamoDBItem?, of user: UserID, since epoch: UInt64, at moment: Timestamp) {
    guard let item, place.itemKeys(of: user).isEmpty, let record = try? record(item) else { return }
    let items = LoadedItems(user: ItemKey.user(user), record: record, place: [])
    recent.keep(RecentReads.Entry(items: items, readAt: moment), of: user, since: epoch)
  }

  private static func fence(_ item: DynamoDBItem?) -> Int64 {
    item?[ConnectionRecord.leaseFence]?.integer ?? 0
  }

  private func take(_ user: UserID, owner: String, now: Timestamp, until expiry: Timestamp)
    async throws(AWSError) -> DynamoDBItem?
  {
    let expires: DynamoDBExpression = "\(name: ConnectionRecord.leaseExpiresAt)"
    let furthest = now + RefreshLease.furthestExpiry
    let update: DynamoDBExpression = """
      SET \(name: ConnectionRecord.leaseOwner) = \(.string(owner)), \(expression: expires) = \(.timestamp(expiry)), \
      \(name: ConnectionRecord.revision) = \(.string(random.token128())) \
      ADD \(name: ConnectionRecord.leaseFence) \(.integer(1))
      """
    let isFree: DynamoDBExpression = """
      attribute_exists(\(name: "PK")) AND (attribute_not_exists(\(expression: expires)) OR \(expression: expires) <= \(.timestamp(now)) \
      OR \(expression: expires) > \(.timestamp(furthest)))
      """
    return try await dynamoDB.updateItem(
      tables.own, key: ItemKey.connection(of: user), update, condition: isFree, returning: .allNew,
      isRepeatable: true)
  }

  func release(_ lease: RefreshLease, on user: UserID) async throws(StoreError) {
    defer { recent.end(user) }
    do throws(AWSError) {
      let update: DynamoDBExpression = """
        SET \(name: ConnectionRecord.leaseExpiresAt) = \(.integer(0)), \
        \(name: ConnectionRecord.revision) = \(.string(random.token128()))
        """
      let isNewest: DynamoDBExpression = """
        \(name: ConnectionRecord.leaseOwner) = \(.string(lease.owner)) \
        AND \(name: ConnectionRecord.leaseFence) = \(.integer(lease.fence))
        """
      try await dynamoDB.updateItem(
        tables.own, key: ItemKey.connection(of: user), update, condition: isNewest, isRepeatable: true)
    } catch {
      guard error.failure?.isConditionalCheckFailed ?? false else {
        throw failure.error(error, in: "giving up a lease")
      }
    }
  }
}
