import Primitives

/// All that changes while an emulator runs, as one value.
struct EmulatorState: Sendable {
  var directory = AccountDirectory()
  var ledger = TokenLedger()
  var transactions = ConsentTransactions()
  var settings = EmulatorSettings()
  var faults = FaultQueue()
  var counts: [Endpoint: Int64] = [:]
  /// How far the clock has been moved ahead of the real one.
  var advanced = Duration.zero
}

extension EmulatorState {
  /// How an emulator begins.
  init(_ configuration: EmulatorConfiguration, at now: Timestamp) {
    for account in configuration.accounts { directory.put(account) }
    settings.autoConsent = configuration.autoConsent
  }
}
