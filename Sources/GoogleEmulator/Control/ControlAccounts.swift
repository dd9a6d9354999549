import HTTP
import Primitives

/// `/_emulator/accounts`.
struct ControlAccounts: Sendable {
  let core: EmulatorCore

  /// Adds an account, or changes the one with this address; what the request leaves out stays.
  @Sendable func add(_ request: HTTPRequest) throws(ControlError) -> JSONValue {
    let body = try ControlBody(request)
    let email = try body.required("email")
    guard Account.isAddress(email) else { throw ControlError("`email` must be one mail address.") }
    let name = try body.text("name")
    let sub = try body.text("sub")
    guard sub?.isEmpty != true else { throw ControlError("`sub` must not be empty.") }
    let verified = try body.flag("email_verified")
    let domain = try body.text("hd")
    let account = core.withState { state, _ in
      let known = state.directory.find(email: email)
      let account = Account(
        email: email, name: name ?? known?.name, sub: sub ?? known?.sub,
        emailVerified: verified ?? known?.emailVerified ?? true,
        hostedDomain: (domain ?? known?.hostedDomain).flatMap { $0.isEmpty ? nil : $0 })
      state.directory.put(account)
      return account
    }
    return Self.json(account)
  }

  /// All accounts.
  @Sendable func list(_: HTTPRequest) throws(ControlError) -> JSONValue {
    ["accounts": .array(core.withState { state, _ in state.directory.all }.map(Self.json))]
  }

  private static func json(_ account: Account) -> JSONValue {
    var members: [String: JSONValue] = [
      "email": .string(account.email), "name": .string(account.name), "sub": .string(account.sub),
      "email_verified": .bool(account.emailVerified),
    ]
    members["hd"] = account.hostedDomain.map { .string($0) }
    return .object(members)
  }
}
