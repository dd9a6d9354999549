import Cryptography
import HTTP
import Primitives
import Synchronization

/// Signs requests to one service in one region: Signature Version 4 in the `Authorization` field.
///
/// Source: AWS IAM User Guide, "Create a signed AWS API request"; for S3 the Amazon S3 API Reference,
/// "Authenticating Requests (AWS Signature Version 4)". Any number of tasks may sign at the same time.
package final class RequestSigner: Sendable {
  private struct SigningKey {
    let day: String
    let secret: Secret
    let key: HMACSHA256
  }

  private let service: String
  private let region: String
  private let time: TimeSource
  private let isS3: Bool
  /// A key serves for a day; making it takes four times as long as using it.
  private let lastKey = Mutex<SigningKey?>(nil)

  /// A signer for `service` by its signing name, as in `dynamodb`.
  package init(service: String, region: String, time: TimeSource) {
    self.service = service
    self.region = region
    self.time = time
    isS3 = service == "s3"
  }

  /// The request as it is to be sent.
  package func sign(_ request: AWSRequest, with credentials: AWSCredentials) -> HTTPClientRequest {
    let date = SigningDate(time.now())
    let address = CanonicalAddress(request, encodesOnce: isS3)
    let payloadHash = Digest.sha256(request.body).hexadecimal
    var fields = request.fields
    fields["Host"] = request.endpoint.host
    fields["X-Amz-Date"] = date.moment
    if isS3 { fields["X-Amz-Content-Sha256"] = payloadHash }
    if let token = credentials.sessionToken { fields["X-Amz-Security-Token"] = token.expose() }
    let canonical = CanonicalRequest(
      method: request.method, path: address.signedPath, query: address.query, fields: fields,
      payloadHash: payloadHash)
    fields["Authorization"] = authorization(of: canonical, at: date, with: credentials)
    let target = address.query.isEmpty ? address.path : address.path + "?" + address.query
    return HTTPClientRequest(
      method: request.method, url: request.endpoint.origin + target, fields: fields, body: request.body,
      timeout: request.timeout, maximumBodySize: request.maximumBodySize)
  }

  private func authorization(
    of request: CanonicalRequest, at date: SigningDate, with credentials: AWSCredentials
  ) -> String {
    let scope = "\(date.day)/\(region)/\(service)/aws4_request"
    let hash = Digest.sha256(request.text).hexadecimal
    let signature = key(for: date.day, credentials.secretAccessKey)
      .authenticate(Array("AWS4-HMAC-SHA256\n\(date.moment)\n\(scope)\n\(hash)".utf8))
    return "AWS4-HMAC-SHA256 Credential=\(credentials.accessKeyID)/\(scope), "
      + "SignedHeaders=\(request.signedFields), Signature=\(signature.hexadecimal)"
  }

  private func key(for day: String, _ secret: Secret) -> HMACSHA256 {
    lastKey.withLock { last in
      if let last, last.day == day, last.secret == secret { return last.key }
      let key = derivedKey(for: day, secret)
      last = SigningKey(day: day, secret: secret, key: key)
      return key
    }
  }

  private func derivedKey(for day: String, _ secret: Secret) -> HMACSHA256 {
    var key = HMACSHA256(key: Array("AWS4".utf8) + secret.expose().utf8)
    for part in [day, region, service, "aws4_request"] {
      key = HMACSHA256(key: key.authenticate(Array(part.utf8)))
    }
    return key
  }
}

/// A moment as a signature names it.
private struct SigningDate {
  /// `20150830T123600Z`.
  let moment: String
  /// `20150830`.
  let day: String

  init(_ timestamp: Timestamp) {
    let compact = timestamp.iso8601.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
    moment = String(decoding: compact, as: UTF8.self)
    day = String(decoding: compact.prefix(8), as: UTF8.self)
  }
}
