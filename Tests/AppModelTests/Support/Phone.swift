import AppModel
import Cryptography
import FoundationEssentials
import HTTP
import PayPulseKit
import Primitives
import TestSupport

/// How an app's person consents.
enum Consent: String, CaseIterable, Sendable {
  /// In a browser, with the kit's own OAuth.
  case web
  /// Through Google's SDK.
  case sdk
}

/// What a device keeps. The Keychain outlives the app, its container does not.
struct Disk: Sendable {
  let path: String
  let sdk: SDKKeychain

  var sessions: FileSessionStore { FileSessionStore(path: path + "/keychain/session.json") }
  var undelivered: FileUndeliveredTokensStore {
    FileUndeliveredTokensStore(directory: path + "/keychain/undelivered")
  }
  var marker: InstallMarker { InstallMarker(path: path + "/container/Application Support/installed") }

  /// The same content elsewhere: what a process that is killed now leaves.
  func snapshot() async throws -> Disk {
    let copy = path + "-" + RandomSource.system.token128()
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    let keychain = SDKKeychain()
    await keychain.set(await sdk.user)
    return Disk(path: copy, sdk: keychain)
  }

  /// Deletes the app.
  func deleteApp() throws { try FileManager.default.removeItem(atPath: path + "/container") }
}

/// One process of the app on a device.
@MainActor struct Phone {
  let root: RootModel
  let person: Person
  let sdk: EmulatedSDK
  let disk: Disk

  /// A new device, or with `disk` a new process on an old one.
  init(in world: World, _ consent: Consent = .web, disk: Disk? = nil) throws {
    self.disk =
      disk ?? Disk(path: world.directory + "/" + RandomSource.system.token128(), sdk: SDKKeychain())
    let once = RetryPolicy(attempts: 1)
    let time = world.clock.source
    let endpoints = GoogleEndpoints(baseURL: world.google)
    let google = GoogleTokenClient(http: world.network, retries: once, time: time)
    person = Person(client: world.network, clientID: World.clientID)
    let web = WebAuthorizer(
      clientID: World.clientID, endpoints: endpoints, receiver: person, tokens: google,
      sha256: { Digest.sha256($0) }, time: time)
    sdk = EmulatedSDK(
      keychain: self.disk.sdk, web: web, tokens: google, endpoints: endpoints, time: time)
    let authorizer: any GoogleAuthorizing =
      consent == .web ? web : SDKAuthorizer(sdk: sdk, endpoints: endpoints, time: time)
    root = RootModel(
      services: AppServices(
        api: APIClient(
          server: try ServerAddress(world.server), http: world.network, retries: once, time: time),
        google: google, authorizer: authorizer, sessions: self.disk.sessions,
        undelivered: self.disk.undelivered, installMarker: self.disk.marker, time: time))
  }

  /// The models of whoever is signed in.
  var profile: ProfileModel {
    get throws {
      guard case .signedIn(let profile) = root.phase else { throw Surprise("nobody is signed in") }
      return profile
    }
  }

  var gmail: GmailConnectionModel { get throws { try profile.gmail } }

  var isSignedOut: Bool { if case .signedOut = root.phase { true } else { false } }

  /// Starts the app and makes an account.
  @discardableResult func signUp(_ email: String = "user@example.com") async throws -> GmailConnectionModel {
    await root.start()
    (root.signIn.email, root.signIn.name, root.signIn.password) = (email, "Ada", "correct horse")
    await root.signIn.signUp()
    return try gmail
  }

  /// Signs in with the account that ``signUp(_:)`` made.
  @discardableResult func signIn(_ email: String = "user@example.com") async throws -> GmailConnectionModel {
    (root.signIn.email, root.signIn.password) = (email, "correct horse")
    await root.signIn.signIn()
    return try gmail
  }

  /// What waits on the device to be delivered: the files of the store.
  var undeliveredFiles: Int {
    let folder = disk.path + "/keychain/undelivered"
    let files = FileManager.default
    let servers = (try? files.contentsOfDirectory(atPath: folder)) ?? []
    return servers.reduce(0) {
      $0 + ((try? files.contentsOfDirectory(atPath: folder + "/" + $1)) ?? []).count
    }
  }
}
