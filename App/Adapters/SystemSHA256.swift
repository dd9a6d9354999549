import CryptoKit
import Foundation
import PayPulseKit

extension WebAuthorizer {
  /// SHA-256 by the system, for PKCE.
  static let systemSHA256: PayPulseKit.SHA256 = { bytes in Array(CryptoKit.SHA256.hash(data: Data(bytes))) }
}
