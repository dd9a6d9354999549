import Primitives

/// `application/x-www-form-urlencoded`, as the WHATWG URL standard defines it.
public enum FormCoding {
  /// The pairs in `text`, decoded, in order; nil when an escape is broken or the result is not UTF-8.
  public static func decode(_ text: some StringProtocol) -> [(name: String, value: String)]? {
    var pairs: [(String, String)] = []
    for part in text.utf8.split(separator: UInt8(ascii: "&")) {
      let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = unescape(halves[0], plusIsSpace: true),
        let value = halves.count > 1 ? unescape(halves[1], plusIsSpace: true) : ""
      else { return nil }
      pairs.append((name, value))
    }
    return pairs
  }

  /// The pairs as one text.
  public static func encode(_ pairs: [(String, String)]) -> String {
    String(decoding: encoded(pairs), as: UTF8.self)
  }

  /// The pairs as a request's body.
  public static func encoded(_ pairs: [(String, String)]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(pairs.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count + 32 })
    for (name, value) in pairs {
      if !output.isEmpty { output.append(UInt8(ascii: "&")) }
      PercentCoding.encode(name, onto: &output)
      output.append(UInt8(ascii: "="))
      PercentCoding.encode(value, onto: &output)
    }
    return output
  }

  fileprivate static func unescape(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> String? {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var iterator = bytes.makeIterator()
    while let byte = iterator.next() {
      switch byte {
      case UInt8(ascii: "+") where plusIsSpace: output.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = iterator.next().flatMap(nibble), let low = iterator.next().flatMap(nibble) else {
          return nil
        }
        output.append(high << 4 | low)
      default: output.append(byte)
      }
    }
    return String(validating: output, as: UTF8.self)
  }

  private static func nibble(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// Percent-encoding (RFC 3986 section 2.1).
public enum PercentCoding {
  /// `text` with everything but unreserved characters escaped.
  public static func encode(_ text: String) -> String {
    var output: [UInt8] = []
    encode(text, onto: &output)
    return String(decoding: output, as: UTF8.self)
  }

  fileprivate static func encode(_ text: String, onto output: inout [UInt8]) {
    text.withContiguousUTF8 { bytes in
      // Tokens consist of unreserved characters but for a few: what lies between those is copied as a whole.
      var rest = bytes[...]
      while let special = rest.firstIndex(where: { !isUnreserved($0) }) {
        output.append(contentsOf: rest[..<special])
        output.append(UInt8(ascii: "%"))
        output.append(digit(bytes[special] >> 4))
        output.append(digit(bytes[special] & 15))
        rest = bytes[(special + 1)...]
      }
      output.append(contentsOf: rest)
    }
  }

  /// RFC 3986 section 2.3.
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return (letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z"))
      || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")) || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  /// `text` with its escapes resolved; nil when one is broken or the result is not UTF-8.
  public static func decode(_ text: some StringProtocol) -> String? {
    FormCoding.unescape(text.utf8, plusIsSpace: false)
  }
}
