import PayPulseKit

extension AuthorizationAttempt {
  /// Whether `address` answers this very attempt, be it with a code or with an error.
  func isOurs(_ address: String) -> Bool {
    do throws(AuthorizationError) {
      _ = try code(in: address)
      return true
    } catch {
      if case .notOurs = error { return false }
      return true
    }
  }
}
