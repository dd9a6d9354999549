import CCurl
import HTTP

/// libcurl refused an option or could not make a handle; in practice it had no memory.
struct CurlSetupError: Error {}

extension CURLcode {
  /// Throws unless this is success.
  func check() throws(CurlSetupError) { if self != CURLE_OK { throw CurlSetupError() } }
}

extension CURLMcode {
  /// Traps unless this is success: a multi handle fails only by misuse or for want of memory.
  func check(_ operation: StaticString) {
    precondition(self == CURLM_OK, "libcurl: \(operation) failed with \(rawValue)")
  }
}

extension HTTPClientError {
  /// Why a transfer ended with `code`. As long as no byte of the request was sent, it cannot have been
  /// carried out.
  init(_ code: CURLcode, requestWasSent: Bool) {
    self =
      switch code {
      case CURLE_URL_MALFORMAT: .invalidURL
      case _ where !requestWasSent: .unreachable
      case CURLE_OPERATION_TIMEDOUT: .timedOut
      default: .connectionLost
      }
  }
}
