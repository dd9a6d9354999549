import Domain
import Primitives

/// A revocation owed, as an item: its token is sealed by KMS for this order, account and Google alone. A sealed
/// token costs one request and a few hundred bytes; a secret of its own would cost forty cents and a second write
/// that could not be in the transaction.
enum OrderItem {
  private static let subject = "Subject"
  private static let googleBaseURL = "GoogleBaseURL"
  private static let queuedAt = "QueuedAt"
  private static let sealed = "Sealed"

  /// The item of `order`, due at once.
  static func item(of order: RevocationOrder, _ sealer: KMSSealer) async throws(StoreError) -> DynamoDBItem {
    let token = try await sealer.seal(
      Array(order.token.expose().utf8),
      for: .revocation(order.id, of: order.subject, at: order.googleBaseURL))
    var item = ItemKey.order(order.id)
    item[subject] = .string(order.subject.rawValue)
    item[googleBaseURL] = .string(order.googleBaseURL)
    item[queuedAt] = .timestamp(order.queuedAt)
    item[sealed] = .binary(token)
    item["Queue"] = .string(TimeQueue.orders)
    item["At"] = .timestamp(order.queuedAt)
    return item
  }

  /// The order `id` of `item`; nil when its token does not open: such an order can never be paid.
  static func order(_ id: String, of item: DynamoDBItem, _ sealer: KMSSealer) async throws(StoreError)
    -> RevocationOrder?
  {
    guard let account = item[subject]?.string, let url = item[googleBaseURL]?.string,
      let since = item[queuedAt]?.timestamp, let token = item[sealed]?.binary,
      let opened = try await sealer.open(token, for: .revocation(id, of: GoogleSubject(account), at: url))
    else { return nil }
    return RevocationOrder(
      id: id, subject: GoogleSubject(account), token: Secret(String(decoding: opened, as: UTF8.self)),
      googleBaseURL: url, queuedAt: since)
  }
}
