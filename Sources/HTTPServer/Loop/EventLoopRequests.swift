import HTTP
import Primitives

/// The requests in work on a loop.
extension EventLoop {
  /// Numbers the next request.
  func nextSerial() -> UInt64 {
    serial += 1
    return serial
  }

  /// Starts the responder at once, on this thread. Its response, if it was never suspended; else that
  /// comes to ``finish(_:_:)`` later. The task outlives the connection: what it does must not be lost
  /// half way because the peer went away.
  func start(_ request: HTTPRequest, _ exchange: Exchange) -> HTTPResponse? {
    isStarting = true
    let task = Task.immediate(executorPreference: self) { [self, responder] in
      answer(await responder.respond(to: request), exchange)
    }
    isStarting = false
    if let response = immediateResponse {
      immediateResponse = nil
      return response
    }
    running[exchange.serial] = task
    return nil
  }

  /// A responder has answered.
  private func answer(_ response: HTTPResponse, _ exchange: Exchange) {
    if !isCurrent {
      post(.answer(exchange, response))
    } else if isStarting {
      immediateResponse = response
    } else {
      postLocally(.answer(exchange, response))
    }
  }

  /// Takes the response of a responder that had been suspended.
  func finish(_ exchange: Exchange, _ response: HTTPResponse) {
    running[exchange.serial] = nil
    if let connection = connection(exchange.connection) {
      connection.respondLater(response, to: exchange)
    } else {
      record(exchange, response)
    }
  }

  /// Writes the request's line in the log.
  func record(_ exchange: Exchange, _ response: HTTPResponse) {
    log.request(
      id: exchange.id, method: exchange.method, response: response,
      microseconds: MonotonicClock.now() - exchange.startedAt)
  }
}
