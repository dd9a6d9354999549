import HTTP
import Primitives
import WireModels

extension HTTPResponse {
  /// The contract's success envelope around `data`.
  static func success(_ status: Int, _ message: String, _ data: (some JSONWritable)?) -> HTTPResponse {
    encoded(status, SuccessEnvelope(message: message, code: status, data: data))
  }

  /// The envelope of a success without data.
  static func success(_ status: Int, _ message: String) -> HTTPResponse {
    success(status, message, NoData?.none)
  }

  /// A JSON body that no cache keeps: all of it is one user's.
  static func encoded(_ status: Int, _ body: some JSONWritable) -> HTTPResponse {
    var text = JSONText(capacity: 768)
    body.write(to: &text)
    return HTTPResponse(
      status: status, fields: ["Content-Type": "application/json", "Cache-Control": "no-store"],
      body: text.bytes)
  }
}
