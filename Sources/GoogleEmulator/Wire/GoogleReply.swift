import HTTP
import Primitives

extension HTTPResponse {
  /// A JSON reply that must not be stored, with the headers of Google's OAuth endpoints.
  static func google(_ status: Int, _ body: JSONValue) -> HTTPResponse {
    HTTPResponse(
      status: status,
      fields: [
        "Content-Type": "application/json; charset=utf-8",
        "Cache-Control": "no-cache, no-store, max-age=0, must-revalidate",
        "Pragma": "no-cache",
        "Expires": "Mon, 01 Jan 1990 00:00:00 GMT",
        "Vary": "Origin, X-Origin, Referer",
        "X-Content-Type-Options": "nosniff",
        "Server": "scaffolding on HTTPServer2",
      ],
      body: body.serialized)
  }

  /// A public JSON document that may be kept for an hour.
  static func document(_ body: JSONValue) -> HTTPResponse {
    HTTPResponse(
      status: 200,
      fields: [
        "Content-Type": "application/json; charset=utf-8",
        "Cache-Control": "public, max-age=3600, must-revalidate",
      ], body: body.serialized)
  }

  /// A page; never cached, never framed, fed by nothing but itself.
  static func page(_ status: Int, _ html: String) -> HTTPResponse {
    HTTPResponse(
      status: status,
      fields: [
        "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Content-Security-Policy":
          "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      ], body: Array(html.utf8))
  }

  /// What Google's front end says about a path, or a method, that it does not know.
  static let notFoundPage = page(
    404,
    "<!DOCTYPE html><html lang=en><title>Error 404 (Not Found)!!1</title>"
      + "<p><b>404.</b> That’s an error.<p>The requested URL was not found on this server. That’s all we know."
  )
}
