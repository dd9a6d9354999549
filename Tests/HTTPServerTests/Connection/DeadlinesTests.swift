import Testing

@testable import HTTPServer

@Suite struct DeadlinesTests {
  private var deadlines: Deadlines

  init() {
    var limits = HTTPServerLimits()
    limits.idleTime = .microseconds(1000)
    limits.requestTime = .microseconds(100)
    deadlines = Deadlines(limits: limits)
  }

  @Test mutating func passInTheOrderTheyWereSet() {
    for slot: Int32 in [7, 3, 5] { deadlines.set(.request, for: slot, now: Int64(slot)) }
    #expect(deadlines.next == 107)
    #expect(deadlines.takePassed(now: 106) == nil)
    #expect(deadlines.takePassed(now: 200)?.slot == 7)
    #expect(deadlines.takePassed(now: 200)?.slot == 3)
    #expect(deadlines.takePassed(now: 200)?.slot == 5)
    #expect(deadlines.takePassed(now: 200) == nil)
    #expect(deadlines.next == nil)
  }

  @Test(arguments: [0, 1, 2] as [Int32])
  mutating func canBeClearedAnywhereInTheQueue(_ cleared: Int32) {
    for slot: Int32 in 0..<3 { deadlines.set(.idle, for: slot, now: 0) }
    deadlines.clear(cleared)
    deadlines.clear(cleared)
    var passed: [Int32] = []
    while let (slot, _) = deadlines.takePassed(now: 1000) { passed.append(slot) }
    #expect(passed == [0, 1, 2].filter { $0 != cleared })
  }

  @Test mutating func holdOnlyTheLastSetForASlot() {
    deadlines.set(.idle, for: 1, now: 0)
    deadlines.set(.request, for: 1, now: 50)
    #expect(deadlines.kind(of: 1) == .request)
    #expect(deadlines.next == 150)
    #expect(deadlines.takePassed(now: 5000)?.kind == .request)
    #expect(deadlines.takePassed(now: 5000) == nil)
  }

  @Test mutating func nextIsTheEarliestOfAllKinds() {
    deadlines.set(.idle, for: 1, now: 0)
    deadlines.set(.request, for: 2, now: 500)
    #expect(deadlines.next == 600)
    deadlines.clear(2)
    #expect(deadlines.next == 1000)
  }
}
