import AppModel
import Foundation
import HTTP
import PayPulseKit
import Primitives
import TestSupport
import Testing

@Suite("No client secret", .serialized) @MainActor
struct NoSecretTests {
  @Test(
    "nothing that Google is sent holds one, and a code is redeemed with its verifier",
    arguments: Consent.allCases, Transport.allCases)
  func onTheWire(consent: Consent, transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world, consent)
      let gmail = try await phone.signUp()
      world.network.cut(.upload, .beforeArrival)
      await gmail.connect()
      world.clock.advance(by: .seconds(7200))
      await phone.root.resume()
      #expect(gmail.state == .connected(address: World.accounts[0]))
      let forms = world.seen.tokenForms
      let codes = forms.filter { $0.contains { $0.name == "grant_type" && $0.value == "authorization_code" } }
      #expect(
        codes.map { Set($0.map(\.name)) } == [
          ["grant_type", "code", "client_id", "redirect_uri", "code_verifier"]
        ])
      let refreshes = forms.filter { $0.contains { $0.name == "grant_type" && $0.value == "refresh_token" } }
      #expect(refreshes.count >= 2)
      for form in refreshes {
        #expect(Set(form.map(\.name)) == ["grant_type", "refresh_token", "client_id"])
      }
      #expect(!world.seen.everything.lowercased().contains("client_secret"))
      #expect(!world.seen.everything.lowercased().contains("authorization: basic"))
    }
  }

  @Test("no source of the kit or the models names one")
  func inTheSources() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    for module in ["PayPulseKit", "AppModel"] {
      let folder = root.appending(path: "Sources/" + module)
      let names = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap {
        $0 as? String
      }
      #expect(names.count > 5)
      for name in names where name.hasSuffix(".swift") {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8).lowercased()
        for word in ["client_secret", "clientsecret"] {
          #expect(!text.contains(word), "\(name) names \(word)")
        }
      }
    }
  }
}
