import Domain
import Primitives
import Testing

@Suite("GmailConnection and leases: what time makes of them")
struct GmailConnectionTests {
  let now = Timestamp(seconds: 1_000_000)

  private func connection(_ status: ConnectionStatus, grantEnds: Timestamp? = nil) -> GmailConnection {
    GmailConnection(
      account: GoogleAccount(subject: GoogleSubject("s"), email: "e", name: "", emailVerified: false),
      recordedStatus: status, reason: status == .blocked ? .accessDenied : nil, scopes: GrantedScopes("a"),
      connectedAt: now, accessExpiresAt: now + .seconds(10), grantExpiresAt: grantEnds, grantID: GrantID("g"))
  }

  @Test(
    "3.3: gmail_account_connected goes with the status",
    arguments: [
      (ConnectionStatus.connected, true), (.limited, true), (.blocked, true), (.needsReconnect, false),
      (.notConnected, false),
    ])
  func connected(status: ConnectionStatus, isConnected: Bool) {
    #expect(connection(status).isConnected(at: now) == isConnected)
  }

  @Test("3.3: only a limited connection ends with its access token")
  func ends() {
    let later = now + .seconds(10)
    #expect(connection(.limited).status(at: later) == .needsReconnect)
    #expect(connection(.limited).reason(at: later) == .accessExpired)
    #expect(connection(.connected).status(at: later) == .connected)
    #expect(connection(.blocked).status(at: later) == .blocked)
    #expect(connection(.blocked).reason(at: later) == .accessDenied)
  }

  @Test("3.3: works_until is known for a limited connection and for a grant that Google limits in time")
  func worksUntil() {
    let end = now + .seconds(999)
    #expect(connection(.limited).worksUntil(at: now) == now + .seconds(10))
    #expect(connection(.limited).worksUntil(at: now + .seconds(10)) == nil)
    #expect(connection(.connected).worksUntil(at: now) == nil)
    #expect(connection(.connected, grantEnds: end).worksUntil(at: now) == end)
    #expect(connection(.needsReconnect, grantEnds: end).worksUntil(at: now) == nil)
  }

  @Test("3.4: a lease is live until it ends, and never when it ends over 120 s ahead")
  func lease() {
    func isLive(_ seconds: Int64) -> Bool {
      RefreshLease(owner: "o", fence: 1, expiresAt: now + .seconds(seconds)).isLive(at: now)
    }
    #expect([-1, 0, 1, 60, 120, 121, 9999].map(isLive) == [false, false, true, true, true, false, false])
  }

  @Test(
    "3.5: a revocation mark runs for a minute at most, and casts doubt on proofs that began before its end")
  func mark() {
    let running = RevocationMark(startedAt: now, endedAt: nil)
    #expect(running.isRunning(at: now + .seconds(59)))
    #expect(!running.isRunning(at: now + .seconds(60)), "its process died")
    #expect(!running.isRunning(at: now - .seconds(61)), "its clock was wrong")
    let ended = RevocationMark(startedAt: now, endedAt: now + .seconds(5))
    #expect(!ended.isRunning(at: now + .seconds(1)))
    #expect(ended.casts(doubtOnProofAt: now + .seconds(5), seenAt: now))
    #expect(!ended.casts(doubtOnProofAt: now + .seconds(6), seenAt: now))
    #expect(running.casts(doubtOnProofAt: now - .seconds(1), seenAt: now))
  }

  @Test("3.1.5: accounts compare by sub, by folded e-mail where one has none, and never by nothing")
  func sameAccount() {
    func account(_ sub: String, _ email: String) -> GoogleAccount {
      GoogleAccount(subject: GoogleSubject(sub), email: email, name: "", emailVerified: false)
    }
    #expect(account("1", "a@x").isSame(as: account("1", "b@x")))
    #expect(!account("1", "a@x").isSame(as: account("2", "a@x")))
    #expect(account("", "A@x ").isSame(as: account("2", "a@X")))
    #expect(!account("", "b@x").isSame(as: account("2", "a@x")))
    #expect(!account("", "").isSame(as: account("2", "")))
  }
}
