import AWS
import Curl
import HTTP
import Primitives
import TestSupport

extension MotoWorld {
  /// One set of connections for all tests.
  static let http: any HTTPClient = CurlHTTPClient()

  /// A client of this world, over `http`.
  func client(
    http: any HTTPClient = Self.http, time: TimeSource = .system, policy: RetryPolicy = RetryPolicy()
  ) throws -> AWSClient {
    AWSClient(
      configuration: try AWSConfiguration(environment: environment),
      credentials: try .process(environment: environment, http: http, time: time), http: http, time: time,
      random: .system, log: .silent, policy: policy)
  }

  /// A client of a new world.
  static func client() async throws -> AWSClient { try await new().client() }
}
