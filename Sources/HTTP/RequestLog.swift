import Primitives

extension Log {
  /// Writes a request's line: nothing in it that the caller could have put a secret into, so the route's template and
  /// no path, and only methods that are known. `method` is nil where the request could not be read that far.
  public func request(id: String, method: HTTPMethod?, response: HTTPResponse, microseconds: Int64) {
    info(
      "request",
      [
        ("id", .string(id)), ("method", .string(Self.name(method))),
        ("route", .string(response.route ?? "-")), ("status", .integer(Int64(response.status))),
        ("duration_ms", .number(Double(microseconds) / 1000)),
      ])
  }

  private static func name(_ method: HTTPMethod?) -> String {
    switch method {
    case .get?, .head?, .post?, .put?, .delete?, .patch?, .options?: method?.rawValue ?? "-"
    case .some: "other"
    case nil: "-"
    }
  }
}
