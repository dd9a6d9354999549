import HTTP

/// The addresses of the Gmail API's discovery document.
enum DiscoveryRoutes {
  static var routes: [Router.Route] {
    [
      Router.Route(.get, "/discovery/v1/apis/gmail/v1/rest") { request, _ in
        .document(GmailDiscovery(base: BaseURL.of(request)).document)
      },
      Router.Route(.get, "/$discovery/rest") { request, _ in
        guard ["v1", nil].contains(Parameters(query: request).nonEmpty("version")) else {
          return .notFoundPage
        }
        return .document(GmailDiscovery(base: BaseURL.of(request)).document)
      },
    ]
  }
}
