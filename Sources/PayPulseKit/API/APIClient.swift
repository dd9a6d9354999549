import HTTP
import Primitives
import WireModels

/// The PayPulse server's API, one method for each endpoint.
///
/// What may be repeated is repeated when the network or a gateway fails; a sign-up never is. Nothing is printed,
/// and no session is kept here: a call takes the one to use.
public struct APIClient: Sendable {
  /// How long one attempt may take.
  public struct Timeouts: Sendable {
    /// For every call but the next.
    public var request: Duration
    /// For handing over Google tokens, where the server asks Google before it answers.
    public var upload: Duration

    /// The given limits.
    public init(request: Duration = .seconds(15), upload: Duration = .seconds(45)) {
      self.request = request
      self.upload = upload
    }
  }

  /// The server.
  public let server: ServerAddress
  let transport: APITransport
  private let timeouts: Timeouts

  /// A client of the server at `server`.
  public init(
    server: ServerAddress, http: any HTTPClient, timeouts: Timeouts = Timeouts(),
    retries: RetryPolicy = RetryPolicy(),
    time: TimeSource = .system, random: RandomSource = .system
  ) {
    self.server = server
    self.timeouts = timeouts
    transport = APITransport(server: server, http: http, retries: retries, time: time, random: random)
  }

  /// Makes an account. Sent once: when the reply is lost, signing in tells whether it was made.
  public func signUp(email: String, name: String, password: Secret) async throws(APIError) -> Session {
    try await session(
      from: call(.signup, body: SignupRequest(email: email, name: name, password: password)))
  }

  /// Signs in.
  public func signIn(email: String, password: Secret) async throws(APIError) -> Session {
    try await session(from: call(.login, body: LoginRequest(email: email, password: password)))
  }

  /// Who the user is, and how the connection to Gmail stands.
  public func profile(_ session: Session) async throws(APIError) -> ProfileData {
    try await required(call(.getProfile, session: session))
  }

  /// Hands Google's tokens over. Repeating it is safe: the server repeats its reply.
  ///
  /// A server that lacks the documented path (the oldest ones do) is asked under the path that shipped apps call.
  public func storeGmailTokens(_ tokens: GmailTokensRequest, _ session: Session) async throws(APIError)
    -> GmailTokensData
  {
    do throws(APIError) {
      return try await required(call(.storeGmailTokens, session: session, body: tokens))
    } catch .refused(let refusal) where refusal.status == 404 && refusal.code == .unknownError {
      return try await required(call(.storeGmailTokensAlias, session: session, body: tokens))
    }
  }

  /// Disconnects Gmail; fine when it is not connected. Nil when the server does not say what became of the grant.
  public func disconnectGmail(_ session: Session) async throws(APIError) -> GmailDisconnectData? {
    try await call(.deleteGmailTokens, session: session).data
  }

  /// Deletes the account and everything of it; fine when it is gone already.
  public func deleteAccount(_ session: Session) async throws(APIError) {
    do throws(APIError) {
      let _: Reply<NoData> = try await call(.deleteAccount, session: session)
    } catch .sessionEnded(.userNotFound) {}
  }

  /// Whether the server's process runs.
  public func checkHealth() async throws(APIError) {
    try await transport.probe(.health, timeout: timeouts.request)
  }

  /// Whether the server can do its work.
  public func checkReadiness() async throws(APIError) {
    try await transport.probe(.readiness, timeout: timeouts.request)
  }

  private func call<Payload: Decodable & Sendable>(
    _ route: APIRoute, session: Session? = nil, body: (any Encodable & Sendable)? = nil
  ) async throws(APIError) -> Reply<Payload> {
    let timeout =
      route == .storeGmailTokens || route == .storeGmailTokensAlias ? timeouts.upload : timeouts.request
    return try await transport.call(route, session: session, body: body, timeout: timeout)
  }

  private func required<Payload>(_ reply: Reply<Payload>) throws(APIError) -> Payload {
    guard let data = reply.data else { throw .invalidReply(status: reply.status) }
    return data
  }

  private func session(from reply: Reply<SessionData>) throws(APIError) -> Session {
    let data = try required(reply)
    guard let session = Session(server: server, data: data) else { throw .invalidReply(status: reply.status) }
    return session
  }
}
