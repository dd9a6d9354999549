import Domain
import Primitives
import Testing

@Suite("AttemptLimit")
struct AttemptLimitsTests {
  let start = Timestamp(seconds: 1_000_000)

  @Test("4: ten uploads a minute a user, in a sliding window; the wait is until the oldest leaves it")
  func slides() {
    let limit = AttemptLimit(10, per: .seconds(60))
    for second in 0..<10 { #expect(limit.admit("u", at: start + .seconds(second)) == nil) }
    #expect(limit.admit("u", at: start + .seconds(10)) == .seconds(50))
    #expect(limit.admit("other", at: start + .seconds(10)) == nil)
    #expect(limit.admit("u", at: start + .seconds(60)) == nil)
    #expect(limit.admit("u", at: start + .seconds(60)) == .seconds(1))
  }

  @Test("What is refused does not count, so that waiting helps")
  func refusedDoesNotCount() {
    let limit = AttemptLimit(1, per: .seconds(60))
    _ = limit.admit("u", at: start)
    for second in 1..<60 { #expect(limit.admit("u", at: start + .seconds(second)) != nil) }
    #expect(limit.admit("u", at: start + .seconds(60)) == nil)
  }

  @Test("Of callers side by side no more get in than are allowed")
  func sideBySide() async {
    let limit = AttemptLimit(10, per: .seconds(60))
    let admitted = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<500 { group.addTask { limit.admit("u", at: start) == nil } }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(admitted == 10)
  }

  @Test("Keys of strangers are forgotten once their window has passed; a standing one is not")
  func forgets() {
    let limit = AttemptLimit(1, per: .seconds(60))
    for index in 0..<10_000 { limit.note("stranger \(index)", at: start) }
    limit.note("standing", at: start + .seconds(59))
    limit.note("one more", at: start + .seconds(61))
    #expect(limit.wait("standing", at: start + .seconds(61)) == .seconds(58))
    #expect(limit.wait("stranger 1", at: start + .seconds(61)) == nil)
  }
}
