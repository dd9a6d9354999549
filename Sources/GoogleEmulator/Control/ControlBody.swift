import HTTP
import Primitives

/// A control request's JSON object, read member by member. `null` counts as absent.
struct ControlBody {
  private let members: [String: JSONValue]

  init(_ request: HTTPRequest) throws(ControlError) {
    guard let members = JSONValue(parsing: request.body)?.object else {
      throw ControlError("The body must be a JSON object.")
    }
    self.members = members.filter { $0.value != .null }
  }

  func has(_ name: String) -> Bool { members[name] != nil }

  func text(_ name: String) throws(ControlError) -> String? {
    guard let value = members[name] else { return nil }
    guard let text = value.string else { throw ControlError("`\(name)` must be a string.") }
    return text
  }

  /// A text that must be there and not be empty.
  func required(_ name: String) throws(ControlError) -> String {
    guard let text = try text(name), !text.isEmpty else { throw ControlError("`\(name)` is missing.") }
    return text
  }

  func flag(_ name: String) throws(ControlError) -> Bool? {
    guard let value = members[name] else { return nil }
    guard let flag = value.bool else { throw ControlError("`\(name)` must be true or false.") }
    return flag
  }

  func whole(_ name: String, in range: ClosedRange<Int64>) throws(ControlError) -> Int64? {
    guard let value = members[name] else { return nil }
    guard let number = value.integer, range.contains(number) else {
      throw ControlError("`\(name)` must be a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  /// A number of seconds, fractions allowed, not negative, at most a hundred years.
  func seconds(_ name: String) throws(ControlError) -> Duration? {
    guard let value = members[name] else { return nil }
    let number: Double
    switch value {
    case .integer(let whole): number = Double(whole)
    case .number(let fraction): number = fraction
    default: throw ControlError("`\(name)` must be a number.")
    }
    guard number >= 0, number <= 3_155_760_000 else {
      throw ControlError(
        "`\(name)` must be from 0 to 3155760000 (a hundred years): the clock only goes forward.")
    }
    return .microseconds(Int64(number * 1_000_000))
  }

  func texts(_ name: String) throws(ControlError) -> [String]? {
    guard let value = members[name] else { return nil }
    guard let elements = value.array, case let texts = elements.compactMap(\.string),
      texts.count == elements.count
    else { throw ControlError("`\(name)` must be an array of strings.") }
    return texts
  }

  /// An object whose values are texts, or whole numbers, which header values like `Retry-After` often are.
  func dictionary(_ name: String) throws(ControlError) -> [String: String]? {
    guard let value = members[name] else { return nil }
    guard let object = value.object,
      case let texts = object.compactMapValues({ $0.string ?? $0.integer.map(String.init) }),
      texts.count == object.count
    else { throw ControlError("`\(name)` must be an object whose values are strings.") }
    return texts
  }

  /// The account that `email` names.
  func account(_ state: EmulatorState) throws(ControlError) -> Account {
    let email = try required("email")
    guard let account = state.directory.find(email: email) else {
      throw ControlError("There is no account \(email).")
    }
    return account
  }
}
