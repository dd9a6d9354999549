import Primitives

extension ServiceFailure {
  /// Whether an item did not meet the condition: the request's own, or one of a transaction's.
  package var isConditionalCheckFailed: Bool {
    code == "ConditionalCheckFailedException"
      || cancellationReasons.contains(where: \.isConditionalCheckFailed)
  }

  /// Whether the table, the secret, the version, the key or the queue does not exist.
  package var isNotFound: Bool {
    ["ResourceNotFoundException", "NotFoundException", "QueueDoesNotExist"].contains(code)
  }

  /// Whether a secret with that name, or a version with that id and another value, exists.
  package var isAlreadyThere: Bool { code == "ResourceExistsException" }

  /// Whether the secret is scheduled for deletion, or its forced deletion is not over. The code alone does not say:
  /// messages speak of "scheduled for deletion", "marked for deletion" and "marked deleted".
  package var isScheduledForDeletion: Bool {
    code == "InvalidRequestException" && message.expose().contains("delet")
  }

  /// Whether other writes to the same items were under way: doing nothing was right, and asking again is.
  var isConflict: Bool {
    switch code {
    case "TransactionConflictException", "TransactionInProgressException", "ReplicatedWriteConflictException":
      return true
    case "TransactionCanceledException":
      let codes = Set(cancellationReasons.map(\.code)).subtracting(["None"])
      return !codes.isEmpty && codes.isSubset(of: Self.passingReasons)
    default: return false
    }
  }

  private static let passingReasons: Set<String> = [
    "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded",
  ]
}

/// What an error code means, whatever the service.
///
/// Source: the services' API references ("Common Errors") and botocore's list of retried codes.
enum ErrorCodes {
  /// Too many requests; nothing was done.
  static let throttling: Set<String> = [
    "BandwidthLimitExceeded", "EC2ThrottledException", "KmsThrottled", "PriorRequestNotComplete",
    "ProvisionedThroughputExceededException", "RequestLimitExceeded", "RequestThrottled",
    "RequestThrottledException", "SlowDown", "ThrottledException", "Throttling", "ThrottlingException",
    "TooManyRequestsException",
  ]

  /// A failure of AWS's own, whatever the status.
  static let transient: Set<String> = [
    "DependencyTimeoutException", "InternalError", "InternalFailure", "InternalServerError",
    "InternalServiceError", "KMSInternalException", "KeyUnavailableException", "RequestTimeout",
    "RequestTimeoutException", "ServiceUnavailable", "ServiceUnavailableException",
  ]

  /// Our credentials are not, or no longer, accepted: others may be.
  static let credentials: Set<String> = [
    "ExpiredToken", "ExpiredTokenException", "InvalidClientTokenId", "TokenRefreshRequired",
    "UnrecognizedClientException",
  ]

  /// Our signature or our role is refused.
  static let denied: Set<String> = [
    "AccessDenied", "AccessDeniedException", "IncompleteSignature", "IncompleteSignatureException",
    "InvalidAccessKeyId", "InvalidSignatureException", "MissingAuthenticationToken",
    "MissingAuthenticationTokenException", "NotAuthorized", "OptInRequired", "RequestExpired",
    "RequestTimeTooSkewed", "SignatureDoesNotMatch",
  ]
}
