import HTTP
import Primitives

extension HTTPClientRequest {
  /// Whether a body belongs to it, an empty one too (RFC 9110 section 8.6).
  var hasContent: Bool { !body.isEmpty || [.post, .put, .patch].contains(method) }

  /// Whether the request can be written as it is: nothing in it can be taken for more than one line.
  var isWellFormed: Bool {
    url.isAbsoluteHTTP && method.rawValue.isToken
      && fields.allSatisfy { $0.name.isToken && $0.value.isFieldValue }
  }
}

extension String {
  /// Whether this is an `http` or `https` address of printable ASCII characters (RFC 3986 section 2).
  fileprivate var isAbsoluteHTTP: Bool {
    guard isVisibleASCII else { return false }
    // By bytes: finding characters takes many times as long, and every call to Google pays for it.
    return withContiguousUTF8 { bytes in
      ["http://", "https://"].contains { (scheme: StaticString) in
        let length = scheme.utf8CodeUnitCount
        // Of visible characters only letters have another in their place: `:` and `/` stay.
        return bytes.count > length && (0..<length).allSatisfy { bytes[$0] | 0x20 == scheme.utf8Start[$0] }
          && !"/?#".utf8.contains(bytes[length])
      }
    }
  }

  /// Whether this is a token (RFC 9110 section 5.6.2).
  fileprivate var isToken: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Whether this holds no control character but the tab (RFC 9110 section 5.5).
  fileprivate var isFieldValue: Bool {
    let hasControl = withContiguousUTF8 { $0.containsControl() }
    return !hasControl || utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
  }
}

extension HTTPMethod {
  /// Whether doing it twice is as good as once (RFC 9110 section 9.2.2).
  var isIdempotent: Bool { [.get, .head, .put, .delete, .options].contains(self) }
}
