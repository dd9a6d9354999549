import Domain
import HTTP
import Primitives

/// Everything that the endpoints need, given once at start.
package struct Application: Sendable {
  /// Makes accounts.
  package let signUp: SignUp
  /// Checks passwords.
  package let logIn: LogIn
  /// Takes Google tokens.
  package let connectGmail: ConnectGmail
  /// Lets go of a Google account.
  package let disconnectGmail: DisconnectGmail
  /// Removes users.
  package let deleteAccount: DeleteAccount
  /// Where users are read from.
  package let users: any UserStore
  /// Makes and checks session tokens.
  package let sessions: Sessions
  /// Tells clients apart by their address.
  package let clients: ClientAddress
  /// How often a user may upload tokens; nil for as often as they like.
  package let uploads: AttemptLimit?
  /// Whether sign-in hides that nobody has an address.
  package let hidesUnknownUsers: Bool
  /// Whether the store can be written now.
  package let isReady: @Sendable () async -> Bool
  /// What time it is.
  package let time: TimeSource

  /// An application.
  package init(
    signUp: SignUp, logIn: LogIn, connectGmail: ConnectGmail, disconnectGmail: DisconnectGmail,
    deleteAccount: DeleteAccount, users: any UserStore, sessions: Sessions, clients: ClientAddress,
    uploads: AttemptLimit?, hidesUnknownUsers: Bool, isReady: @escaping @Sendable () async -> Bool,
    time: TimeSource
  ) {
    self.signUp = signUp
    self.logIn = logIn
    self.connectGmail = connectGmail
    self.disconnectGmail = disconnectGmail
    self.deleteAccount = deleteAccount
    self.users = users
    self.sessions = sessions
    self.clients = clients
    self.uploads = uploads
    self.hidesUnknownUsers = hidesUnknownUsers
    self.isReady = isReady
    self.time = time
  }
}
