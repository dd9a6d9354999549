import HTTP

/// Parameters of a query or a form, in order.
struct Parameters: Sendable {
  private let pairs: [(name: String, value: String)]

  init(_ pairs: [(name: String, value: String)]) { self.pairs = pairs }

  /// Those of `request`'s query; none when it is broken.
  init(query request: HTTPRequest) {
    self.init(request.query.flatMap { FormCoding.decode($0) } ?? [])
  }

  /// Those of a form body; none when the body is no form.
  init(form request: HTTPRequest) {
    guard request.fields.mediaType == "application/x-www-form-urlencoded",
      let text = String(validating: request.body, as: UTF8.self)
    else {
      self.init([])
      return
    }
    self.init(FormCoding.decode(text) ?? [])
  }

  /// The first value of `name`.
  subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// The first value of `name` that is not empty.
  func nonEmpty(_ name: String) -> String? { pairs.first { $0.name == name && !$0.value.isEmpty }?.value }

  /// Every value of `name`.
  func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

  /// The first name that stands there twice (RFC 6749 section 3.1: parameters must not repeat).
  var repeatedName: String? {
    var seen: Set<String> = []
    return pairs.first { !seen.insert($0.name).inserted }?.name
  }

  /// With those of `other` after them.
  func appending(_ other: Parameters) -> Parameters { Parameters(pairs + other.pairs) }
}
