import FoundationEssentials
import HTTP
import WireModels

extension HTTPResponse {
  /// The contract's success envelope around `data`.
  static func success(_ status: Int, _ message: String, _ data: (some Encodable)?) -> HTTPResponse {
    encoded(status, SuccessEnvelope(message: message, code: status, data: data))
  }

  /// The envelope of a success without data.
  static func success(_ status: Int, _ message: String) -> HTTPResponse {
    success(status, message, NoData?.none)
  }

  /// A JSON body that no cache keeps: all of it is one user's.
  static func encoded(_ status: Int, _ body: some Encodable) -> HTTPResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    // The wire models hold texts, numbers and flags: nothing in them can fail to encode.
    guard let data = try? encoder.encode(body) else { return HTTPResponse(status: 500) }
    return HTTPResponse(
      status: status, fields: ["Content-Type": "application/json", "Cache-Control": "no-store"],
      body: [UInt8](data))
  }
}
