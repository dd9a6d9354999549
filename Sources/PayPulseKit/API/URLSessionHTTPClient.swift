#if canImport(Security)
  import Foundation
  import HTTP

  /// `HTTPClient` over `URLSession`, for Apple's systems. It keeps nothing on the device: no cache, no cookie, no
  /// credential.
  public final class URLSessionHTTPClient: HTTPClient {
    private let session: URLSession
    private let exchanges = URLSessionExchanges()

    /// A client with a session of its own.
    public init() {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      configuration.urlCredentialStorage = nil
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    // A session holds its delegate until it is told to end.
    deinit { session.finishTasksAndInvalidate() }

    /// The reply to `request`.
    public func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPResponse {
      guard let url = URL(string: request.url), let scheme = url.scheme?.lowercased(), url.host != nil,
        scheme == "https" || scheme == "http"
      else { throw .invalidURL }
      var message = URLRequest(url: url)
      message.httpMethod = request.method.rawValue
      message.timeoutInterval = Double(request.timeout.components.seconds) + 1
      for field in request.fields { message.addValue(field.value, forHTTPHeaderField: field.name) }
      if !request.body.isEmpty { message.httpBody = Data(request.body) }
      return try await exchanges.run(
        session.dataTask(with: message), limit: request.maximumBodySize, timeout: request.timeout)
    }
  }

  /// The replies that are on the way, fed by the session's callbacks.
  private final class URLSessionExchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Unchecked: `running` is only touched under the lock.
    private typealias Outcome = Result<HTTPResponse, HTTPClientError>
    private struct Exchange {
      let limit: Int
      let continuation: CheckedContinuation<Outcome, Never>
      var response: HTTPURLResponse?
      var body: [UInt8] = []
      var failure: HTTPClientError?
    }
    private let lock = NSLock()
    private var running: [Int: Exchange] = [:]

    func run(_ task: URLSessionDataTask, limit: Int, timeout: Duration) async throws(HTTPClientError)
      -> HTTPResponse
    {
      // The session's own limits are for a silence, not for the whole.
      let deadline = Task {
        try await Task.sleep(for: timeout)
        self.fail(task, .timedOut)
      }
      defer { deadline.cancel() }
      let outcome: Outcome = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          lock.withLock {
            running[task.taskIdentifier] = Exchange(limit: limit, continuation: continuation)
          }
          task.resume()
        }
      } onCancel: {
        self.fail(task, .cancelled)
      }
      return try outcome.get()
    }

    private func fail(_ task: URLSessionTask, _ error: HTTPClientError) {
      lock.withLock {
        if running[task.taskIdentifier]?.failure == nil { running[task.taskIdentifier]?.failure = error }
      }
      task.cancel()
    }

    /// Redirects are not followed: what is sent is meant for the server that was named.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      lock.withLock { running[dataTask.taskIdentifier]?.response = response as? HTTPURLResponse }
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let isTooLarge = lock.withLock {
        guard let exchange = running[dataTask.taskIdentifier],
          exchange.body.count + data.count <= exchange.limit
        else { return true }
        running[dataTask.taskIdentifier]?.body.append(contentsOf: data)
        return false
      }
      if isTooLarge { fail(dataTask, .responseTooLarge) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      guard let exchange = lock.withLock({ running.removeValue(forKey: task.taskIdentifier) }) else { return }
      exchange.continuation.resume(returning: Self.outcome(of: exchange, error))
    }

    private static func outcome(of exchange: Exchange, _ error: (any Error)?) -> Outcome {
      if let failure = exchange.failure { return .failure(failure) }
      if let error { return .failure(HTTPClientError(urlErrorCode: (error as NSError).code)) }
      guard let response = exchange.response else { return .failure(.connectionLost) }
      var fields = HTTPFields()
      for (name, value) in response.allHeaderFields {
        if let name = name as? String, let value = value as? String { fields.append(name, value) }
      }
      return .success(HTTPResponse(status: response.statusCode, fields: fields, body: exchange.body))
    }
  }
#endif
