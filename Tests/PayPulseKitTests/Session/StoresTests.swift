import FoundationEssentials
import Glibc
import PayPulseKit
import Primitives
import Testing

@Suite("Stores on disk")
final class StoresTests {
  private let root: String

  init() throws {
    var template = Array("/tmp/paypulse-kit-XXXXXX".utf8CString)
    root = try template.withUnsafeMutableBufferPointer { buffer in
      guard let path = buffer.baseAddress, mkdtemp(path) != nil else { throw Fixture.Unexpected() }
      return String(cString: path)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  private func mode(_ path: String) throws -> mode_t {
    var information = stat()
    guard lstat(path, &information) == 0 else { throw Fixture.Unexpected() }
    return information.st_mode & 0o7777
  }

  @Test("I-16: a session lives in a file of 0600 in a directory of 0700, and comes back whole")
  func session() async throws {
    let store = FileSessionStore(path: root + "/config/paypulse/session.json")
    #expect(try await store.load() == nil)
    let session = try Fixture.session()
    try await store.save(session)
    #expect(try mode(root + "/config/paypulse/session.json") == 0o600)
    #expect(try mode(root + "/config/paypulse") == 0o700)
    #expect(try await store.load() == session)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: root + "/config/paypulse") == ["session.json"])
    try await store.remove()
    try await store.remove()
    #expect(try await store.load() == nil)
  }

  @Test("a file that was opened up to others is closed again")
  func tightened() async throws {
    let path = root + "/session.json"
    let store = FileSessionStore(path: path)
    try await store.save(Fixture.session())
    chmod(path, 0o644)
    _ = try await store.load()
    #expect(try mode(path) == 0o600)
  }

  @Test("a link in the file's place is replaced, not followed")
  func link() async throws {
    let victim = root + "/victim"
    #expect(FileManager.default.createFile(atPath: victim, contents: Data("keep".utf8)))
    #expect(symlink(victim, root + "/session.json") == 0)
    try await FileSessionStore(path: root + "/session.json").save(Fixture.session())
    #expect(FileManager.default.contents(atPath: victim) == Data("keep".utf8))
  }

  @Test("junk counts as signed out", arguments: ["", "{", "[]", #"{"server":"https://x"}"#])
  func junk(content: String) async throws {
    let path = root + "/session.json"
    #expect(FileManager.default.createFile(atPath: path, contents: Data(content.utf8)))
    #expect(try await FileSessionStore(path: path).load() == nil)
  }

  @Test("what an interrupted write left is swept with the file")
  func leftovers() async throws {
    let store = FileSessionStore(path: root + "/session.json")
    try await store.save(Fixture.session())
    #expect(FileManager.default.createFile(atPath: root + "/session.json.tmp-x", contents: Data("t".utf8)))
    try await store.remove()
    #expect(try FileManager.default.contentsOfDirectory(atPath: root).isEmpty)
  }

  @Test("every stage of undelivered tokens comes back whole, and to its own user and server only")
  func undelivered() async throws {
    let store = FileUndeliveredTokensStore(directory: root + "/undelivered")
    let owner = UndeliveredTokens.Owner(try Fixture.session())
    let device = try Device()
    await device.world.cut(.upload, .beforeArrival)
    _ = try? await device.connector().connect(in: Fixture.session())
    let stages = await device.store.saved
    #expect(stages.count == 3)
    for stage in stages {
      let record = UndeliveredTokens(owner: owner, stage: stage)
      try await store.save(record)
      #expect(try await store.load(owner) == record)
    }
    let stranger = UndeliveredTokens.Owner(try Fixture.session("user_2"))
    let elsewhere = UndeliveredTokens.Owner(
      try Fixture.session(server: ServerAddress("https://other.example")))
    #expect(try await store.load(stranger) == nil)
    #expect(try await store.load(elsewhere) == nil)
    try await store.remove(owner)
    #expect(try await store.load(owner) == nil)
  }

  @Test("removing all leaves nothing of any user at any server, and is fine when there is nothing")
  func everybody() async throws {
    let store = FileUndeliveredTokensStore(directory: root + "/undelivered")
    try await store.removeAll()
    let device = try Device()
    await device.world.cut(.upload, .beforeArrival)
    _ = try? await device.connector().connect(in: Fixture.session())
    let stage = try #require(await device.store.saved.last)
    let owners = [
      UndeliveredTokens.Owner(try Fixture.session()), UndeliveredTokens.Owner(try Fixture.session("user_2")),
      UndeliveredTokens.Owner(try Fixture.session(server: ServerAddress("https://other.example"))),
    ]
    for owner in owners { try await store.save(UndeliveredTokens(owner: owner, stage: stage)) }
    try await store.removeAll()
    let left = try FileManager.default.subpathsOfDirectory(atPath: root + "/undelivered")
    #expect(!left.contains { $0.hasSuffix(".json") })
  }

  @Test("a record moved into another user's place is not read")
  func moved() async throws {
    let store = FileUndeliveredTokensStore(directory: root)
    let owner = UndeliveredTokens.Owner(try Fixture.session())
    let device = try Device()
    await device.world.cut(.upload, .beforeArrival)
    _ = try? await device.connector().connect(in: Fixture.session())
    let stage = try #require(await device.store.saved.last)
    try await store.save(UndeliveredTokens(owner: owner, stage: stage))
    let folder = root + "/https%3A%2F%2Fpaypulse.example"
    try FileManager.default.moveItem(atPath: folder + "/user_1.json", toPath: folder + "/user_2.json")
    #expect(try await store.load(UndeliveredTokens.Owner(Fixture.session("user_2"))) == nil)
  }
}
