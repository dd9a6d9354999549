import HTTP

/// The address under which the caller reached the emulator; every address it hands out lies below it.
enum BaseURL {
  /// `http://` and the request's `Host`.
  static func of(_ request: HTTPRequest) -> String {
    let host = request.fields["Host"] ?? "localhost"
    let isPlain = host.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"),
        UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return "http://" + (isPlain && !host.isEmpty ? host : "localhost")
  }

  /// Where an account's picture lies.
  static func picture(of account: Account, base: String) -> String { "\(base)/a/\(account.sub)" }
}
