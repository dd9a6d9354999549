/// Where accounts are kept: a place that they are moved from, or to.
package struct AccountPlace: Sendable {
  /// Its users.
  package let users: any UserStore
  /// Their connections.
  package let vault: any TokenVault
  /// The revocations that it owes.
  package let revocations: any RevocationQueue

  /// How many users a page has when all are gone through.
  static let pageSize = 100

  /// A place.
  package init(users: any UserStore, vault: any TokenVault, revocations: any RevocationQueue) {
    self.users = users
    self.vault = vault
    self.revocations = revocations
  }
}

extension UserStore {
  /// Goes through all users, page by page: only one is held at a time.
  func forEachUser(_ body: (User) -> Void) async throws(StoreError) {
    var last: UserID?
    repeat {
      let page = try await users(after: last, limit: AccountPlace.pageSize)
      page.users.forEach(body)
      last = page.next
    } while last != nil
  }
}
