import Primitives

/// The `fields` parameter of Google's APIs: `a,b/c,d(e,f)`, with `*` for any member.
struct FieldMask {
  private indirect enum Selection {
    case everything
    case members([String: Selection])
  }

  /// `value` reduced to the fields that `mask` names; all of it without a mask.
  static func apply(_ mask: String?, to value: JSONValue) -> JSONValue {
    guard let mask, !mask.isEmpty else { return value }
    var rest = mask[...]
    return reduce(value, to: parse(&rest, depth: 0))
  }

  /// No reply is nested deeper; whatever a mask names below that selects nothing.
  private static let deepest = 50

  private static func parse(_ rest: inout Substring, depth: Int) -> Selection {
    var members: [String: Selection] = [:]
    repeat {
      let name = String(rest.prefix { !",/()".contains($0) })
      rest = rest.dropFirst(name.count)
      let below = child(&rest, depth: depth + 1)
      members[name] = members[name].map { merge($0, below) } ?? below
    } while take(",", &rest)
    return .members(members)
  }

  private static func child(_ rest: inout Substring, depth: Int) -> Selection {
    guard depth <= deepest else {
      rest = rest[rest.endIndex...]
      return .members([:])
    }
    if take("/", &rest) {
      let name = String(rest.prefix { !",/()".contains($0) })
      rest = rest.dropFirst(name.count)
      return .members([name: child(&rest, depth: depth + 1)])
    }
    guard take("(", &rest) else { return .everything }
    let inner = parse(&rest, depth: depth)
    _ = take(")", &rest)
    return inner
  }

  private static func take(_ character: Character, _ rest: inout Substring) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  private static func merge(_ left: Selection, _ right: Selection) -> Selection {
    guard case .members(let one) = left, case .members(let other) = right else { return .everything }
    return .members(one.merging(other, uniquingKeysWith: merge))
  }

  private static func reduce(_ value: JSONValue, to selection: Selection) -> JSONValue {
    guard case .members(let wanted) = selection else { return value }
    switch value {
    case .array(let elements): return .array(elements.map { reduce($0, to: selection) })
    case .object(let members):
      return .object(
        members.reduce(into: [:]) { kept, member in
          if let below = wanted[member.key] ?? wanted["*"] {
            kept[member.key] = reduce(member.value, to: below)
          }
        })
    default: return value
    }
  }
}
