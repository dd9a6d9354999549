import Foundation
import Testing

@Suite("The app's project files")
struct ConfigurationTests {
  private let repository = Repository()

  private func propertyList(_ path: String) throws -> [String: Any] {
    let data = try Data(contentsOf: repository.root.appending(path: path))
    return try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
  }

  private func configuration() throws -> [String: String] {
    let pairs = try repository.text("App/Configuration.xcconfig")
      .matches(of: /(?m)^([A-Z_]+) = ?(.*)$/).map { (String($0.1), String($0.2)) }
    return Dictionary(pairs) { $1 }
  }

  @Test("client ID, URL scheme and server come from the one configuration file")
  func oneFile() throws {
    let info = try propertyList("App/Resources/Info.plist")
    let settings = try configuration()
    #expect(info["GIDClientID"] as? String == "$(GOOGLE_CLIENT_ID)")
    #expect(info["PayPulseServer"] as? String == "$(PAYPULSE_SERVER)")
    #expect(info["PayPulseGoogleBaseURL"] as? String == "$(GOOGLE_BASE_URL)")
    let types = try #require(info["CFBundleURLTypes"] as? [[String: Any]])
    #expect(types.first?["CFBundleURLSchemes"] as? [String] == ["$(GOOGLE_REVERSED_CLIENT_ID)"])
    // One value gives both forms of the ID.
    #expect(settings["GOOGLE_CLIENT_ID"] == "$(GOOGLE_CLIENT_PREFIX).apps.googleusercontent.com")
    #expect(settings["GOOGLE_REVERSED_CLIENT_ID"] == "com.googleusercontent.apps.$(GOOGLE_CLIENT_PREFIX)")
    #expect(settings["PAYPULSE_SERVER"]?.contains("//") == false, "// begins a comment in an xcconfig")
  }

  @Test("what Info.plist takes from the configuration is there")
  func variables() throws {
    let given = Set(try configuration().keys).union([
      "DEVELOPMENT_LANGUAGE", "EXECUTABLE_NAME", "PRODUCT_NAME",
    ])
    for match in try repository.text("App/Resources/Info.plist").matches(of: /\$\(([A-Z_]+)\)/) {
      #expect(given.contains(String(match.1)), "\(match.1)")
    }
  }

  @Test("project.yml names files that are there, products that Package.swift has, and version 9 of the SDK")
  func project() throws {
    let project = try repository.text("App/project.yml")
    for match in project.matches(of: /- path: (\S+)/) {
      #expect(repository.exists("App/\(match.1)"), "\(match.1)")
    }
    for name in ["Configuration.xcconfig", "Resources/Info.plist"] {
      #expect(project.contains(name))
      #expect(repository.exists("App/" + name))
    }
    let products = project.matches(of: /product: (\S+)/).map { String($0.1) }
    #expect(products == ["GoogleSignIn", "PayPulseKit", "AppModel"])
    let package = try repository.text("Package.swift")
    for product in products.dropFirst() { #expect(package.contains(".library(name: \"\(product)\"")) }
    #expect(project.contains("https://github.com/google/GoogleSignIn-iOS\n    majorVersion: 9.0.0"))
  }

  @Test("the privacy manifest has every key, tracks nobody, and links what it collects")
  func privacy() throws {
    let manifest = try propertyList("App/Resources/PrivacyInfo.xcprivacy")
    #expect(manifest["NSPrivacyTracking"] as? Bool == false)
    #expect((manifest["NSPrivacyTrackingDomains"] as? [Any])?.isEmpty == true)
    #expect(manifest["NSPrivacyAccessedAPITypes"] is [Any])
    let collected = try #require(manifest["NSPrivacyCollectedDataTypes"] as? [[String: Any]])
    let names = collected.compactMap { $0["NSPrivacyCollectedDataType"] as? String }
    for name in ["EmailAddress", "Name", "EmailsOrTextMessages", "UserID"] {
      #expect(names.contains("NSPrivacyCollectedDataType" + name))
    }
    for entry in collected {
      #expect(entry["NSPrivacyCollectedDataTypeTracking"] as? Bool == false)
      #expect(entry["NSPrivacyCollectedDataTypeLinked"] as? Bool == true)
      #expect((entry["NSPrivacyCollectedDataTypePurposes"] as? [String])?.isEmpty == false)
    }
  }
}
