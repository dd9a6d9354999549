import Primitives
import Synchronization

/// What every endpoint shares: the clients, the keys, and the state behind its lock.
final class EmulatorCore: Sendable {
  let clients: [OAuthClient]
  let keys: SigningKeys
  let random: RandomSource
  let time: TimeSource
  let attachmentIDs: AttachmentIDs
  private let initial: EmulatorState
  private let state: Mutex<EmulatorState>

  init(
    clients: [OAuthClient], keys: SigningKeys, initial: EmulatorState, time: TimeSource, random: RandomSource
  ) {
    self.clients = clients
    self.keys = keys
    self.time = time
    self.random = random
    self.attachmentIDs = AttachmentIDs(random: random)
    self.initial = initial
    self.state = Mutex(initial)
  }

  /// Runs `body` alone, with the time on the emulator's clock.
  func withState<Result: Sendable, Failure: Error>(
    _ body: (inout EmulatorState, Timestamp) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try state.withLock { (state) throws(Failure) -> Result in
      try body(&state, time.now() + state.advanced)
    }
  }

  /// Goes back to how it was at the start.
  func reset() { state.withLock { $0 = initial } }

  /// The client called `id`.
  func client(_ id: String) -> OAuthClient? { clients.first { $0.id == id } }
}
