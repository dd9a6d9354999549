import HTTP
import Primitives

/// How far one call has come.
struct Attempts {
  /// When it must have ended.
  let end: Timestamp
  /// Whether it may be repeated when it may have been done.
  let isRepeatable: Bool
  /// How many requests were begun.
  var count = 0
  /// Whether one of them may have been carried out.
  var hasUnknownOutcome = false
  /// Whether credentials were exchanged for others once.
  var hasRenewedCredentials = false

  init(end: Timestamp, isRepeatable: Bool) {
    self.end = end
    self.isRepeatable = isRepeatable
  }

  /// Whether the request is worth, and safe, repeating after `error`.
  func allowsAnother(after error: AWSError) -> Bool {
    switch error {
    case .throttled, .unreachable: true
    case .unavailable, .timedOut: isRepeatable
    case .service(let failure): failure.isConflict
    case .denied, .noCredentials, .cancelled: false
    }
  }

  /// What the call ends with: that nothing was done is true of the last attempt only.
  func outcome(_ error: AWSError) -> AWSError {
    guard hasUnknownOutcome else { return error }
    switch error {
    case .service(var failure):
      failure.followsUnknownOutcome = true
      return .service(failure)
    case .throttled, .unreachable, .denied, .noCredentials: return .unavailable
    case .unavailable, .timedOut, .cancelled: return error
    }
  }
}

extension AWSError {
  init(_ error: HTTPClientError) {
    self =
      switch error {
      case .invalidURL, .unreachable: .unreachable
      case .timedOut: .timedOut
      case .connectionLost, .responseTooLarge: .unavailable
      case .cancelled: .cancelled
      }
  }

  /// What it is, for a log line.
  var name: String {
    switch self {
    case .service(let failure): failure.code
    case .throttled: "throttled"
    case .unreachable: "unreachable"
    case .unavailable: "unavailable"
    case .timedOut: "timed_out"
    case .denied(let code): code
    case .noCredentials: "no_credentials"
    case .cancelled: "cancelled"
    }
  }
}
