/// What `/_emulator/settings` can change.
struct EmulatorSettings: Sendable {
  /// Seconds an access token lives; Google's replies say 3599.
  var accessTokenLifetime: Int64 = 3599
  /// Whether each refresh replaces the refresh token.
  var rotatesRefreshTokens = false
  /// Scopes whose box on the consent page is empty, and which automatic consent leaves out.
  var untickedScopes = ScopeList()
  /// Whether the project is in the publishing status "Testing".
  var isTesting = false
  /// Milliseconds that every Google endpoint waits before it answers.
  var latencyMilliseconds: Int64 = 0
  /// Gmail quota units per minute and account; nil for no limit.
  var quotaUnitsPerMinute: Int64?
  /// The account that consents by itself; nil shows the page.
  var autoConsent: String?
  /// Whether lists swap neighbours, since Gmail's order is newest first but not strictly so.
  var swapsListNeighbours = false
}
