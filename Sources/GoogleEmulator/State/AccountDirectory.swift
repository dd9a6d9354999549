/// The accounts there are, found by address in any case, or by `sub`.
struct AccountDirectory: Sendable {
  /// In the order they were added.
  private(set) var all: [Account] = []

  /// Adds an account, or replaces the one with its address or `sub`.
  mutating func put(_ account: Account) {
    let isSame = { (other: Account) in
      other.sub == account.sub || other.email.lowercased() == account.email.lowercased()
    }
    let place = all.firstIndex(where: isSame) ?? all.endIndex
    all.removeAll(where: isSame)
    all.insert(account, at: min(place, all.endIndex))
  }

  /// The account with this address.
  func find(email: String) -> Account? { all.first { $0.email.lowercased() == email.lowercased() } }

  /// The account called `sub`.
  func find(sub: String) -> Account? { all.first { $0.sub == sub } }

  /// The account that a `login_hint` means: an address or a `sub`.
  func find(hint: String) -> Account? { find(email: hint) ?? find(sub: hint) }
}
