import HTTP
import WireModels

/// Why a call to the PayPulse server gave no result. Safe to print: holds no secret.
public enum APIError: Error, Sendable, Hashable {
  /// The server said no, or that it cannot at present.
  case refused(Refusal)
  /// The session is over: sign in again. With `ErrorCode.userNotFound` the account itself is gone.
  case sessionEnded(ErrorCode)
  /// There was no reply.
  case unreachable(HTTPClientError)
  /// A reply that no PayPulse server gives: something else answers at this address.
  case invalidReply(status: Int)

  /// Whether there was no reply although the request may have been carried out.
  public var isUnconfirmed: Bool {
    switch self {
    case .unreachable(.timedOut), .unreachable(.connectionLost), .unreachable(.responseTooLarge): true
    default: false
    }
  }

  /// What the server said.
  public struct Refusal: Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    /// The code; `ErrorCode.unknownError` when the reply had no `error` object, as a gateway's has not.
    public var code: ErrorCode
    /// What the server says of it to a person; may be empty.
    public var message: String
    /// The kind of refusal, where the server names one.
    public var reason: ErrorReason?
    /// Names the request in the server's log.
    public var requestID: String?
    /// After how many seconds to try again, where the server says so.
    public var retryAfter: Int?

    /// A refusal.
    public init(
      status: Int, code: ErrorCode, message: String, reason: ErrorReason? = nil, requestID: String? = nil,
      retryAfter: Int? = nil
    ) {
      self.status = status
      self.code = code
      self.message = message
      self.reason = reason
      self.requestID = requestID
      self.retryAfter = retryAfter
    }

    /// Whether repeating the same request cannot help: PayPulse itself answered 4xx, and not for haste.
    /// A gateway's 4xx says nothing about the request's content.
    public var isDefinite: Bool {
      (400..<500).contains(status) && ![401, 408, 425, 429].contains(status) && code != .unknownError
    }
  }
}
