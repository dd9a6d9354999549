import HTTP
import Testing

@Suite("Router and middleware")
struct RouterTests {
  private let router = Router(
    [
      Router.Route(.get, "/v1/user/me") { _, _ in HTTPResponse(status: 200, body: Array("me".utf8)) },
      Router.Route(.delete, "/v1/user/me") { _, _ in HTTPResponse(status: 204) },
      Router.Route(.post, "/v1/invoices/retail/ingest") { _, _ in HTTPResponse(status: 201) },
      Router.Route(.get, "/v1/invoices/{type}/{id}") { _, parameters in
        HTTPResponse(status: 200, body: Array("\(parameters["type"] ?? "")|\(parameters["id"] ?? "")".utf8))
      },
    ],
    miss: { _, miss in
      switch miss {
      case .notFound: HTTPResponse(status: 404)
      case .methodNotAllowed(let allowed):
        HTTPResponse(status: 405, fields: ["Allow": allowed.map(\.rawValue).joined(separator: ", ")])
      }
    })

  private func answer(_ method: HTTPMethod, _ path: String) async -> HTTPResponse {
    await router.respond(to: HTTPRequest(method: method, path: path))
  }

  @Test(
    "A path is found as a whole, case and slashes included",
    arguments: [
      ("/v1/user/me", 200), ("/v1/user/ME", 404), ("/v1/user/me/", 404), ("/v1//user/me", 404), ("/", 404),
      ("*", 404),
      ("", 404), ("/v1/user", 404), ("/v1/invoices/rental/7", 200), ("/v1/invoices/rental/", 404),
      ("/v1/invoices//7", 404), ("/v1/invoices/rental/7/8", 404),
    ])
  func paths(path: String, status: Int) async { #expect(await answer(.get, path).status == status) }

  @Test("Parameters are decoded after the path is cut up; a broken escape is no match")
  func parameters() async {
    #expect(await answer(.get, "/v1/invoices/a%2Fb/%C3%A9+").body == Array("a/b|é+".utf8))
    #expect(await answer(.get, "/v1/invoices/a/%zz").status == 404)
    #expect(await answer(.get, "/v1/invoices/a/%ff").status == 404)
  }

  @Test("A known path with another method is 405 and says which are allowed; methods are case-sensitive")
  func methods() async {
    let reply = await answer(.post, "/v1/user/me")
    #expect(reply.status == 405)
    #expect(reply.fields["Allow"] == "GET, DELETE")
    #expect(reply.route == "/v1/user/me")
    #expect(await answer(HTTPMethod(rawValue: "get"), "/v1/user/me").status == 405)
    #expect(await answer(.get, "/v1/invoices/retail/ingest").status == 405)
  }

  @Test("HEAD is answered by GET's handler")
  func head() async {
    #expect(await answer(.head, "/v1/user/me").status == 200)
    #expect(await answer(.head, "/v1/invoices/retail/ingest").status == 405)
  }

  @Test("The reply names the route's template, for the log")
  func route() async {
    #expect(await answer(.get, "/v1/invoices/rental/7").route == "/v1/invoices/{type}/{id}")
    #expect(await answer(.get, "/nothing").route == nil)
  }

  private struct Adds: Middleware {
    let name: String
    func respond(to request: HTTPRequest, next: any Responder) async -> HTTPResponse {
      var request = request
      request.fields.append("X-Seen", name)
      var response = await next.respond(to: request)
      response.fields.append("X-Passed", name)
      return response
    }
  }
  private struct Echo: Responder {
    func respond(to request: HTTPRequest) async -> HTTPResponse {
      HTTPResponse(status: 200, body: Array(request.fields.values(of: "X-Seen").joined(separator: ",").utf8))
    }
  }

  @Test("The middleware named last stands outermost")
  func middleware() async {
    let reply = await Echo().behind(Adds(name: "in")).behind(Adds(name: "out"))
      .respond(to: HTTPRequest(method: .get, path: "/"))
    #expect(reply.body == Array("out,in".utf8))
    #expect(reply.fields.values(of: "X-Passed") == ["in", "out"])
  }
}
