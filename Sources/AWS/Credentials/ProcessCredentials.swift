import HTTP
import Primitives

extension CredentialSource where Self == ProcessCredentials {
  /// The credentials of the process with `environment`: those in it, else those of its container, renewed in time.
  /// Fails with `CredentialError.missing` when it has neither.
  package static func process(environment: [String: String], http: any HTTPClient, time: TimeSource)
    throws(CredentialError) -> ProcessCredentials
  {
    if let fixed = EnvironmentCredentials(environment: environment) { return .environment(fixed) }
    guard let container = try ContainerCredentials(environment: environment, http: http) else {
      throw .missing
    }
    return .container(RenewedCredentials(of: container, time: time))
  }
}

/// The credentials that a process was started with.
package enum ProcessCredentials: CredentialSource {
  /// They stand in its environment.
  case environment(EnvironmentCredentials)
  /// Its container's host gives them out.
  case container(RenewedCredentials)

  /// Credentials that are good at present.
  package func credentials(rejecting rejected: AWSCredentials?) async throws(CredentialError)
    -> AWSCredentials
  {
    switch self {
    case .environment(let source): try await source.credentials(rejecting: rejected)
    case .container(let source): try await source.credentials(rejecting: rejected)
    }
  }
}
