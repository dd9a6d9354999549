import Observation
import PayPulseKit
import WireModels

/// The one place where a session's profile is, for every model that shows a part of it.
@MainActor @Observable final class ProfileLoader {
  /// What the server said last; nil while that is not known, or no longer true.
  private(set) var profile: ProfileData?
  /// What the server said last, whether or not it is still true: for what does not change.
  private(set) var lastProfile: ProfileData?
  /// Why the last question had no answer; nil when it had one.
  private(set) var failure: APIError?
  let session: Session
  private let api: APIClient
  @ObservationIgnored private var serial = 0

  init(api: APIClient, session: Session) {
    self.api = api
    self.session = session
  }

  /// Asks the server. Of two questions under way, the later one's answer stays.
  func load() async throws(APIError) -> ProfileData {
    serial += 1
    let mine = serial
    do throws(APIError) {
      let loaded = try await api.profile(session)
      if mine == serial { (profile, lastProfile, failure) = (loaded, loaded, nil) }
      return loaded
    } catch {
      if mine == serial { failure = error }
      throw error
    }
  }

  /// What is known is no longer true, and no answer that is under way will be.
  func invalidate() {
    serial += 1
    (profile, failure) = (nil, nil)
  }
}
