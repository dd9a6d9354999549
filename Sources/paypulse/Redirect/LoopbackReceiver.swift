import HTTP
import HTTPServer
import PayPulseKit
import Primitives
import Synchronization

/// Catches the redirect at an address of this machine (RFC 8252 section 7.3).
struct LoopbackReceiver: RedirectReceiver {
  let browser: Browser

  func receive(
    _ begin: @escaping @Sendable (String) async throws(AuthorizationError) -> AuthorizationPage
  ) async throws(AuthorizationError) -> String {
    let (answers, continuation) = AsyncStream.makeStream(of: String.self)
    let responder = RedirectResponder(answers: continuation)
    let server: HTTPServer
    do {
      server = try HTTPServer(
        configuration: HTTPServerConfiguration(host: "127.0.0.1", port: 0, loops: 1), responder: responder,
        log: .silent, failure: { status, _ in RedirectResponder.page(status, "This request cannot be read.") }
      )
    } catch { throw .receiver("No local address can be opened for Google's answer: \(error).") }
    let origin = "http://127.0.0.1:\(server.address.port)"
    let running = Task { await server.run() }
    let result = await Self.answer(begin, origin, responder, answers, browser)
    // Draining lets the page that says so still reach the browser.
    server.shutdown()
    await running.value
    return try result.get()
  }

  private static func answer(
    _ begin: @Sendable (String) async throws(AuthorizationError) -> AuthorizationPage, _ origin: String,
    _ responder: RedirectResponder, _ answers: AsyncStream<String>, _ browser: Browser
  ) async -> Result<String, AuthorizationError> {
    do throws(AuthorizationError) {
      let page = try await begin(origin + "/")
      responder.expect(page.attempt, at: origin)
      browser.show(page.url)
      for await answer in answers { return .success(answer) }
      return .failure(.cancelled)
    } catch { return .failure(error) }
  }
}

/// Answers the browser: with thanks when it brings our answer, else with nothing of use.
private final class RedirectResponder: Responder {
  private let expected = Mutex<(attempt: AuthorizationAttempt, origin: String)?>(nil)
  private let answers: AsyncStream<String>.Continuation

  init(answers: AsyncStream<String>.Continuation) { self.answers = answers }

  func expect(_ attempt: AuthorizationAttempt, at origin: String) {
    expected.withLock { $0 = (attempt, origin) }
  }

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    guard request.method == .get, let (attempt, origin) = expected.withLock({ $0 }) else {
      return Self.page(404, "There is nothing here.")
    }
    let address = origin + request.path + (request.query.map { "?" + $0 } ?? "")
    guard attempt.isAnswer(address) else { return Self.page(404, "There is nothing here.") }
    guard attempt.isOurs(address) else { return Self.page(400, "This answer belongs to another request.") }
    answers.yield(address)
    answers.finish()
    return Self.page(
      200, "PayPulse has Google's answer. You can close this page and go back to the terminal.")
  }

  static func page(_ status: Int, _ text: String) -> HTTPResponse {
    let html = """
      <!doctype html><html lang="en"><meta charset="utf-8"><title>PayPulse</title>
      <p>\(text)</p></html>

      """
    return HTTPResponse(
      status: status,
      fields: [
        "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
        "Content-Security-Policy": "default-src 'none'",
      ], body: Array(html.utf8))
  }
}
