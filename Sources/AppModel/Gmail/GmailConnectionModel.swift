import Observation
import PayPulseKit
import WireModels

/// One user's connection to Gmail, from *Connect Gmail* to the server's receipt.
///
/// One thing runs at a time: what is asked for meanwhile is left undone, but for ``resume()``.
@MainActor @Observable public final class GmailConnectionModel {
  /// How it stands.
  public private(set) var state = State.unknown
  /// What came of a disconnect, until something else happens.
  public private(set) var notice: Message?
  /// Whether something runs.
  public private(set) var isBusy = false

  /// The button or the address.
  public var display: Display {
    guard let profile = loader.profile else { return .unknown }
    return profile.gmailAccountConnected
      ? .connectedAddress(profile.gmailConnection?.googleEmail) : .connectButton
  }

  /// What ``retry()`` does.
  private enum Remedy {
    case reload
    case connect
    case askAgain(MissingMailPermission)
  }

  private let services: AppServices
  private let loader: ProfileLoader
  @ObservationIgnored private var remedy = Remedy.reload
  /// `resume()` was called while something else ran.
  @ObservationIgnored private var resumesAfter = false
  @ObservationIgnored private(set) var isOver = false
  @ObservationIgnored private var forgets = false
  @ObservationIgnored private let sessionEnded: @MainActor (ErrorCode) async -> Void
  private var session: Session { loader.session }

  /// The connection of the loader's session.
  init(
    services: AppServices, loader: ProfileLoader, sessionEnded: @escaping @MainActor (ErrorCode) async -> Void
  ) {
    self.services = services
    self.loader = loader
    self.sessionEnded = sessionEnded
  }

  /// Delivers what an earlier run or a broken network left undelivered, then asks the server how the connection
  /// stands. For the start, for a return to the foreground, and for a network that is back. While something else
  /// runs, which may just be failing for want of a network, it is done after that.
  public func resume() async {
    guard !isBusy else { return resumesAfter = true }
    await alone {
      if await isPending() {
        state = .delivering(problem: nil)
        await settle { () throws(ConnectError) in try await services.delivery.deliverPending(in: session) }
      }
      await reload()
    }
  }

  /// Connects: asks for the person's consent, unless what they gave before is still to be delivered.
  public func connect() async {
    await alone {
      state = await isPending() ? .delivering(problem: nil) : .connecting
      await settle { () throws(ConnectError) in
        try await services.connector.connect(in: session) { [weak self] in await self?.ask() }
      }
    }
  }

  /// Does again what did not work: asks for the missing permission, connects, delivers or reloads.
  public func retry() async {
    switch (state, remedy) {
    case (.delivering, _): await resume()
    case (.failed, .connect): await connect()
    case (.failed, .askAgain(let missing)):
      await alone {
        state = .connecting
        await settle { () throws(ConnectError) in try await services.connector.askAgain(missing, in: session)
        }
      }
    default: await resume()
    }
  }

  /// The person has read the warning of a switch.
  public func acknowledgeSwitch() {
    guard case .switched(_, let address, _) = state else { return }
    state = loader.profile.map { State($0) } ?? .connected(address: address)
  }

  /// The person has read why it did not work.
  public func acknowledgeFailure() {
    guard case .failed = state, let profile = loader.profile else { return }
    state = State(profile)
  }

  /// Disconnects: the server lets go of the grant, and the device of what it still holds.
  public func disconnect() async {
    await alone {
      let before = state
      do throws(APIError) {
        let data = try await services.api.disconnectGmail(session)
        try? await services.delivery.forget(session)
        loader.invalidate()
        state = .unknown
        await reload()
        notice = Message(data?.revoked == .pending ? .disconnectedGoogleLater : .disconnected)
      } catch {
        state = before
        await disconnectFailed(error)
      }
    }
  }

  /// Gives up what Google granted and the server does not have yet; the connection that there is stays.
  public func discardUndelivered() async {
    await alone {
      do throws(StorageError) { try await services.delivery.forget(session) } catch {
        return notice = Message(.deviceStorageFailed)
      }
      state = .unknown
      await reload()
    }
  }

  /// Begins nothing more; what still runs ends unseen.
  func stop() { isOver = true }

  /// The session goes on after all.
  func goOn() { isOver = false }

  /// Leaves nothing undelivered on the device, not even of what still runs.
  func forget() async {
    (isOver, forgets) = (true, true)
    try? await services.delivery.forget(session)
  }

  // MARK: - Steps

  private func alone(_ body: () async -> Void) async {
    guard !isBusy, !isOver else { return }
    isBusy = true
    notice = nil
    await body()
    isBusy = false
    if forgets { try? await services.delivery.forget(session) }
    if resumesAfter {
      resumesAfter = false
      await resume()
    }
  }

  private func ask() { state = .connecting }

  /// A store that cannot be read is told by the delivery itself.
  private func isPending() async -> Bool { (try? await services.delivery.isPending(in: session)) ?? true }

  private func settle(_ step: () async throws(ConnectError) -> ConnectOutcome?) async {
    do throws(ConnectError) {
      switch try await step() {
      case .connected(let data)?: await connected(data)
      case .mailPermissionMissing(let missing)?:
        remedy = .askAgain(missing)
        state = .failed(Message(.mailPermissionMissing, missing.email ?? ""), canRetry: true)
      case nil: state = .unknown
      }
    } catch { await failed(error) }
  }

  private func connected(_ data: GmailTokensData) async {
    let shown = loader.profile?.gmailConnection?.googleEmail
    // The receipt is newer than what the profile said; only the profile says what is shown.
    loader.invalidate()
    state =
      data.accountSwitch
      ? State(switchedBy: data, shown: shown) : .connected(address: data.googleEmail)
    await reload()
  }

  private func failed(_ error: ConnectError) async {
    remedy = .connect
    switch error {
    case .server(.sessionEnded(let code), _): await sessionEnded(await exactEnd(code))
    case .storage: state = .failed(Message(error), canRetry: true)
    default:
      state =
        error.isKept
        ? .delivering(problem: Message(error)) : .failed(Message(error), canRetry: error.canRetry)
    }
  }

  /// Why the session is over. Only the profile's endpoint tells an account that is gone from a session that is not
  /// taken, and tokens of an account that is gone are to be erased.
  private func exactEnd(_ code: ErrorCode) async -> ErrorCode {
    guard code != .tokenExpired else { return code }
    do throws(APIError) { _ = try await loader.load() } catch .sessionEnded(let exact) { return exact } catch
    {}
    return code
  }

  private func disconnectFailed(_ error: APIError) async {
    switch error {
    case .sessionEnded(let code): await sessionEnded(await exactEnd(code))
    case .refused(let refusal) where refusal.code == .unknownError && [404, 405].contains(refusal.status):
      notice = Message(.disconnectUnsupported)
    default: notice = Message(error)
    }
  }

  /// Asks the server. A switch is shown until it was read, undelivered tokens until they are delivered, and a
  /// failure until the person tried again; beside each of them the display follows the server.
  private func reload() async {
    do throws(APIError) {
      let profile = try await loader.load()
      switch state {
      case .switched, .delivering, .connecting: break
      case .failed where !isReloadRemedy: break
      default: state = State(profile)
      }
    } catch .sessionEnded(let code) {
      await sessionEnded(code)
    } catch {
      guard state == .unknown || isFailedReload else { return }
      remedy = .reload
      state = .failed(Message(error), canRetry: true)
    }
  }

  private var isReloadRemedy: Bool { if case .reload = remedy { true } else { false } }
  private var isFailedReload: Bool { if case .failed = state { isReloadRemedy } else { false } }
}
