import Cryptography
import HTTPServer
import PayPulseKit
import Primitives
import WireModels

extension CommandContext {
  /// `paypulse connect-gmail`. Ctrl-C ends the waiting in order; what was obtained by then is kept.
  func connectGmail(_ options: ConnectOptions) async throws(CommandFailure) {
    let session = try await session()
    let base = try options.googleBaseURL.map { text throws(CommandFailure) in
      try address(text, of: "Google base")
    }
    let endpoints = GoogleEndpoints(baseURL: base?.description)
    let work = Task { () -> Result<ConnectOutcome, ConnectError> in
      do throws(ConnectError) { return .success(try await connect(options, endpoints, session)) } catch {
        return .failure(error)
      }
    }
    let interrupts = Task { await Self.cancelWhenInterrupted(work) }
    defer { interrupts.cancel() }
    let outcome: ConnectOutcome
    do { outcome = try await work.value.get() } catch {
      throw Explanation.failure(error, server: session.server)
    }
    try report(outcome)
  }

  /// What became of a connect, in words and as data.
  func report(_ outcome: ConnectOutcome) throws(CommandFailure) {
    switch outcome {
    case .connected(let data):
      terminal.data(JSONValue(encoding: data))
      terminal.say("Gmail is connected: \(data.googleEmail).")
      if data.accountSwitch {
        terminal.say("It takes the place of \(data.previousGoogleEmail ?? "another account").")
      }
    case .mailPermissionMissing:
      throw CommandFailure(
        "The permission to read mail is still missing, so nothing was connected. Connect again, and on Google's page "
          + "tick the box that lets PayPulse read your mail.")
    }
  }

  private func connect(
    _ options: ConnectOptions, _ endpoints: GoogleEndpoints, _ session: Session
  ) async throws(ConnectError) -> ConnectOutcome {
    let first = options.redirect ?? (endpoints.baseURL == nil ? .scheme : .loopback)
    do throws(ConnectError) {
      return try await connect(by: first, options, endpoints, session)
    } catch .google(.clientMisconfigured("redirect_uri_mismatch"), _)
      where options.isAutomatic && options.redirect == nil
    {
      // The client is of the iOS type, which its id does not show.
      return try await connect(by: .scheme, options, endpoints, session)
    }
  }

  private func connect(
    by redirect: ConnectOptions.Redirect, _ options: ConnectOptions, _ endpoints: GoogleEndpoints,
    _ session: Session
  ) async throws(ConnectError) -> ConnectOutcome {
    let authorizer = WebAuthorizer(
      clientID: options.clientID, endpoints: endpoints, receiver: receiver(redirect, options), tokens: google,
      sha256: { Digest.sha256($0) })
    let connector = GmailConnector(
      authorizer: authorizer, delivery: delivery(session.server), store: undelivered)
    let outcome = try await connector.connect(in: session)
    guard case .mailPermissionMissing(let missing) = outcome, !options.isAutomatic, terminal.isInteractive
    else {
      return outcome
    }
    terminal.note("The box that lets PayPulse read your mail was left unticked. Nothing has been connected.")
    guard let answer = await terminal.ask("Ask Google again for it? [Y/n] "),
      !answer.lowercased().hasPrefix("n")
    else { return outcome }
    return try await connector.askAgain(missing, in: session)
  }

  private func receiver(_ redirect: ConnectOptions.Redirect, _ options: ConnectOptions)
    -> any RedirectReceiver
  {
    let browser = Browser(terminal: terminal, isUsed: options.opensBrowser, environment: environment)
    switch (redirect, options.isAutomatic) {
    case (.loopback, true): return AutomaticReceiver(http: http, redirectURI: "http://127.0.0.1:49152/")
    case (.loopback, false): return LoopbackReceiver(browser: browser)
    case (.scheme, true):
      return AutomaticReceiver(http: http, redirectURI: ReversedClientID.redirectURI(of: options.clientID))
    case (.scheme, false):
      return SchemeReceiver(
        clientID: options.clientID, browser: browser, terminal: terminal, directory: directory,
        registersScheme: options.opensBrowser, environment: environment)
    }
  }

  /// The first interrupt ends the waiting, so that a registered scheme is removed; the second ends the process.
  private static func cancelWhenInterrupted(_ work: Task<Result<ConnectOutcome, ConnectError>, Never>) async {
    guard let signals = try? Signals.stream([.interrupt, .terminate]) else { return }
    for await _ in signals {
      if work.isCancelled { Process.exit(.refused) }
      work.cancel()
    }
  }
}
