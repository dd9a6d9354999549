import Primitives

/// Why the environment does not say where AWS is.
package enum AWSConfigurationError: Error, Sendable, Hashable {
  /// It names no region.
  case noRegion
  /// This variable cannot be used as it is.
  case invalidSetting(name: String)
}

/// Which region, and where its services listen.
package struct AWSConfiguration: Sendable {
  /// The region, as in `eu-north-1`.
  package let region: String
  private let endpoints: [AWSService: ServiceEndpoint]

  /// The services of `region`; those in `overriding` are elsewhere. Nil when `region` can be no region's name.
  package init?(region: String, overriding: [AWSService: ServiceEndpoint] = [:]) {
    let isName = region.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isName, !region.isEmpty, region.utf8.count <= 63 else { return nil }
    self.region = region
    var endpoints = overriding
    for service in AWSService.allCases where endpoints[service] == nil {
      endpoints[service] = ServiceEndpoint(
        url: "https://\(service.name).\(region).\(Self.domain(of: region))")
    }
    self.endpoints = endpoints
  }

  /// What the environment says: `AWS_REGION` or `AWS_DEFAULT_REGION`, and `AWS_ENDPOINT_URL_DYNAMODB`,
  /// `AWS_ENDPOINT_URL_SECRETS_MANAGER`, `…_KMS`, `…_SQS` or `AWS_ENDPOINT_URL` for all.
  package init(environment: [String: String]) throws(AWSConfigurationError) {
    var endpoints: [AWSService: ServiceEndpoint] = [:]
    for service in AWSService.allCases {
      let own = "AWS_ENDPOINT_URL_" + service.environmentName
      let name = environment.filled(own) == nil ? "AWS_ENDPOINT_URL" : own
      guard let url = environment.filled(name) else { continue }
      guard let endpoint = ServiceEndpoint(url: url) else { throw .invalidSetting(name: name) }
      endpoints[service] = endpoint
    }
    guard let region = environment.filled("AWS_REGION") ?? environment.filled("AWS_DEFAULT_REGION") else {
      throw .noRegion
    }
    guard let configuration = Self(region: region, overriding: endpoints) else {
      throw .invalidSetting(name: "AWS_REGION")
    }
    self = configuration
  }

  /// Where `service` listens.
  package func endpoint(of service: AWSService) -> ServiceEndpoint? { endpoints[service] }

  /// The domain of the region's partition (botocore's `partitions.json`); regions cut off from the internet need an
  /// endpoint of their own.
  private static func domain(of region: String) -> String {
    if region.hasPrefix("cn-") { return "amazonaws.com.cn" }
    return region.hasPrefix("eusc-") ? "amazonaws.eu" : "amazonaws.com"
  }
}
