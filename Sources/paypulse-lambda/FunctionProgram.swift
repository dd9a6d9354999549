import AWS
import Curl
import Glibc
import Primitives

/// The program that Lambda runs as `bootstrap`: puts itself together, then answers whatever event comes.
@main
struct FunctionProgram {
  /// Lambda ends a start after ten seconds.
  private static let longestStart: Duration = .seconds(10)
  /// What X-Ray's own libraries look for.
  private static let traceVariable = "_X_AMZN_TRACE_ID"

  private let environment: [String: String]
  private let log = Log(
    clock: TimeSource.system.now, emit: { FileIO.writeText($0 + "\n", to: STDERR_FILENO) })

  static func main() async {
    umask(0o077)
    // There before any other thread is: later on only its value changes, so that nobody reads a list that moves.
    setenv(traceVariable, "", 0)
    exit(await FunctionProgram(environment: ProcessEnvironment.variables).run())
  }

  /// A package that carries its own certification authorities tells where they are, by the variable that OpenSSL
  /// itself has for it.
  private var clientConfiguration: CurlHTTPClient.Configuration {
    var configuration = CurlHTTPClient.Configuration()
    if let file = environment["SSL_CERT_FILE"], !file.isEmpty { configuration.certificateAuthorities = file }
    return configuration
  }

  private func run() async -> Int32 {
    guard let authority = environment["AWS_LAMBDA_RUNTIME_API"], !authority.isEmpty else {
      log.alert(
        "no_runtime_api", [("advice", "AWS_LAMBDA_RUNTIME_API is not set: Lambda runs this program.")])
      return 2
    }
    let client = CurlHTTPClient(configuration: clientConfiguration)
    let deadline = InvocationDeadline()
    let runtime = LambdaRuntime(
      authority: authority, client: client, deadline: deadline,
      publishTraceID: { setenv(Self.traceVariable, $0 ?? "", 1) }, log: log)
    do throws(LambdaFailure) {
      deadline.begin(TimeSource.system.now() + Self.longestStart)
      let function = try await Function.assemble(
        environment: environment, client: client, deadline: deadline, log: log)
      deadline.end()
      return await runtime.run(function)
    } catch {
      return await runtime.failInitialization(error)
    }
  }
}
