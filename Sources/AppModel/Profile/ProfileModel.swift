import Observation
import PayPulseKit
import WireModels

/// Who the user is, and the ways to leave.
@MainActor @Observable public final class ProfileModel {
  /// What the server knows of the user.
  public struct Profile: Sendable, Hashable {
    /// The person's name.
    public let name: String
    /// The account's address.
    public let email: String
    /// Since when; nil where the server's date cannot be read.
    public let memberSince: CalendarDay?
  }

  /// How it stands.
  public enum State: Sendable, Hashable {
    /// The server is being asked, or is to be.
    case loading
    /// The server has answered.
    case loaded(Profile)
    /// The server did not answer, and was never heard before.
    case failed(Message, canRetry: Bool)
  }

  /// What the person asked for that is under way.
  public enum Work: Sendable, Hashable {
    /// Logging out.
    case loggingOut
    /// Deleting the account.
    case deletingAccount
  }

  /// How it stands.
  public var state: State {
    if let known = loader.lastProfile {
      return .loaded(
        Profile(name: known.name, email: known.email, memberSince: CalendarDay(iso8601: known.createdOn)))
    }
    return loader.failure.map { .failed(Message($0), canRetry: true) } ?? .loading
  }

  /// What is under way.
  public private(set) var work: Work?
  /// Why the last thing that was asked for did not happen.
  public private(set) var problem: Message?
  /// Whether the question before a deletion is on the screen. Set by ``askToDeleteAccount()``; a dialog may clear it.
  public var isConfirmingDeletion = false
  /// The connection to Gmail.
  public let gmail: GmailConnectionModel

  private let services: AppServices
  private let loader: ProfileLoader
  @ObservationIgnored private var mayDelete = false
  @ObservationIgnored private let ended: @MainActor (SessionEnd) async -> Void

  /// The profile of the loader's session.
  init(
    services: AppServices, loader: ProfileLoader, gmail: GmailConnectionModel,
    ended: @escaping @MainActor (SessionEnd) async -> Void
  ) {
    self.services = services
    self.loader = loader
    self.gmail = gmail
    self.ended = ended
  }

  /// Delivers what is undelivered, and asks the server for the profile. What was shown before stays meanwhile.
  public func load() async { await gmail.resume() }

  /// Logs out on this device. Tokens that the server does not have yet stay for the user's next sign-in, unless
  /// `forgetting`.
  public func logOut(forgetting: Bool = false) async {
    guard begin(.loggingOut) else { return }
    defer { work = nil }
    gmail.stop()
    do throws(SessionError) {
      try await services.lifecycle.signOut(loader.session, forgetting: forgetting)
    } catch {
      gmail.goOn()
      return problem = Message(.deviceStorageFailed)
    }
    if forgetting { await gmail.forget() }
    await services.authorizer.forget()
    await ended(.byPerson)
  }

  /// Disconnects Gmail; the outcome is the connection's ``GmailConnectionModel/notice``.
  public func disconnectGmail() async { await gmail.disconnect() }

  /// Puts the question before a deletion.
  public func askToDeleteAccount() {
    guard work == nil else { return }
    mayDelete = true
    isConfirmingDeletion = true
  }

  /// The answer is no.
  public func keepAccount() {
    mayDelete = false
    isConfirmingDeletion = false
  }

  /// The answer is yes: deletes the account at the server, and then what the device has of it. Does nothing unless the
  /// question was put. When the server does not confirm, nothing is erased.
  public func deleteAccount() async {
    guard mayDelete, begin(.deletingAccount) else { return }
    defer { work = nil }
    keepAccount()
    gmail.stop()
    do throws(SessionError) {
      try await services.lifecycle.deleteAccount(loader.session)
    } catch .api(.sessionEnded(let code)) {
      return await ended(.byServer(code))
    } catch .api(let cause) {
      gmail.goOn()
      return problem = Message(cause)
    } catch {
      // The account is gone; what the device could not erase belongs to nobody.
    }
    await gmail.forget()
    await services.authorizer.forget()
    await ended(.byPerson)
  }

  /// A session that is over has nothing to leave: the device may hold another one by now.
  private func begin(_ next: Work) -> Bool {
    guard work == nil, !gmail.isOver else { return false }
    work = next
    problem = nil
    return true
  }
}

/// How a session came to its end.
enum SessionEnd: Sendable, Hashable {
  /// The person left.
  case byPerson
  /// The server takes the session no more.
  case byServer(ErrorCode)
}
