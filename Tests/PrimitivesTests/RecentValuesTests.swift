import Primitives
import Testing

@Suite("Recent values")
struct RecentValuesTests {
  @Test("A value is found until it is replaced or forgotten")
  func changes() {
    var values = RecentValues<String, Int>(capacity: 8)
    values["a"] = 1
    #expect(values["a"] == 1 && values["b"] == nil)
    values["a"] = 2
    #expect(values["a"] == 2)
    values["a"] = nil
    #expect(values["a"] == nil)
  }

  @Test("There are never more than there is room for, and the newest is among them")
  func bounded() {
    var values = RecentValues<Int, Int>(capacity: 8)
    for number in 0..<100 { values[number] = number }
    let known = (0..<100).filter { values[$0] != nil }
    #expect(known.count <= 8 && known.contains(99) && !known.contains(0))
  }

  @Test("What is asked for stays while others come and go; forgetting reaches the older half too")
  func asked() {
    var values = RecentValues<Int, String>(capacity: 8)
    values[-1] = "asked for"
    values[-2] = "not"
    for number in 0..<100 {
      #expect(values[-1] == "asked for")
      values[number] = ""
    }
    #expect(values[-2] == nil)
    values[-1] = nil
    #expect(values[-1] == nil)
  }
}
