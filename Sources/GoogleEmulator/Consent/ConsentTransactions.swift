import Primitives

/// Sign-ins that wait for a person. Each page carries a new name, which is good for one form only.
struct ConsentTransactions: Sendable {
  /// A sign-in between two pages.
  struct Pending: Sendable {
    let request: AuthorizationRequest
    /// Who signs in; nil before an account was chosen.
    let sub: String?
    let startedAt: Timestamp
  }

  private static let lifetime = Duration.seconds(3600)
  private static let capacity = 1000
  private var pending: [Secret: Pending] = [:]
  private var order: [Secret] = []

  /// Keeps a sign-in under `name`; beyond the capacity the oldest is forgotten.
  mutating func put(_ sign: Pending, name: Secret) {
    pending[name] = sign
    order.append(name)
    if order.count > Self.capacity { pending[order.removeFirst()] = nil }
  }

  /// Takes the sign-in called `name` out.
  mutating func take(_ name: Secret, at now: Timestamp) -> Pending? {
    order.removeAll { $0 == name }
    return pending.removeValue(forKey: name).flatMap { now - $0.startedAt < Self.lifetime ? $0 : nil }
  }
}
