import AWS
import Primitives
import TestSupport
import Testing

@Suite("Secrets Manager on moto")
struct SecretsManagerTests {
  private let name = "gmail/user/6f1c"
  private let versions = (1...3).map { "0000000\($0)-0000-4000-8000-000000000000" }

  private func failure(_ work: () async throws(AWSError) -> Void) async -> ServiceFailure? {
    do throws(AWSError) { try await work() } catch { return error.failure }
    return nil
  }

  @Test("a secret's versions are those that were named")
  func versions() async throws {
    let secrets = SecretsManager(client: try await MotoWorld.client())
    let missing = await failure { () throws(AWSError) in _ = try await secrets.secretValue(name) }
    #expect(missing?.isNotFound == true)
    try await secrets.createSecret(name, Secret("ett å"), version: versions[0], description: "Gmail")
    try await secrets.putSecretValue(name, Secret("två"), version: versions[1])
    let current = try await secrets.secretValue(name)
    #expect(current.versionID == versions[1])
    #expect(current.text == Secret("två"))
    #expect(try await secrets.secretValue(name, version: .id(versions[0])).text == Secret("ett å"))
    let description = try await secrets.describeSecret(name)
    #expect(description.currentVersionID == versions[1])
    #expect(description.versionIDs == Set(versions[0...1]))
    #expect(!description.isScheduledForDeletion)
    let unknown = await failure { () throws(AWSError) in
      _ = try await secrets.secretValue(name, version: .id(versions[2]))
    }
    #expect(unknown?.isNotFound == true)
  }

  @Test("a repeated put changes nothing, and one version has one value")
  func repetition() async throws {
    let secrets = SecretsManager(client: try await MotoWorld.client())
    try await secrets.createSecret(name, Secret("ett"), version: versions[0])
    for _ in 0..<2 { try await secrets.putSecretValue(name, Secret("två"), version: versions[1]) }
    let other = await failure { () throws(AWSError) in
      try await secrets.putSecretValue(name, Secret("tre"), version: versions[1])
    }
    #expect(other?.isAlreadyThere == true)
    let twice = await failure { () throws(AWSError) in
      try await secrets.createSecret(name, Secret("fyra"), version: versions[2])
    }
    #expect(twice?.isAlreadyThere == true)
    #expect(try await secrets.secretValue(name).text == Secret("två"))
  }

  @Test("a removal with a window can be taken back, and is told from absence")
  func window() async throws {
    let secrets = SecretsManager(client: try await MotoWorld.client())
    try await secrets.createSecret(name, Secret("ett"), version: versions[0])
    try await secrets.deleteSecret(name, .afterWindow(days: 7))
    #expect(try await secrets.describeSecret(name).isScheduledForDeletion)
    let reading = await failure { () throws(AWSError) in _ = try await secrets.secretValue(name) }
    let removing = await failure { () throws(AWSError) in
      try await secrets.deleteSecret(name, .afterWindow(days: 7))
    }
    // A put is refused too by AWS; moto takes it.
    for failure in [reading, removing] {
      #expect(failure?.isScheduledForDeletion == true)
      #expect(failure?.isNotFound == false)
    }
    try await secrets.restoreSecret(name)
    #expect(try await secrets.secretValue(name).text == Secret("ett"))
  }

  @Test("a forced removal is for good, and may be repeated")
  func forced() async throws {
    let secrets = SecretsManager(client: try await MotoWorld.client())
    try await secrets.createSecret(name, Secret("ett"), version: versions[0])
    for _ in 0..<2 { try await secrets.deleteSecret(name, .forced) }
    let restoring = await failure { () throws(AWSError) in try await secrets.restoreSecret(name) }
    #expect(restoring?.isNotFound == true)
    try await secrets.createSecret(name, Secret("två"), version: versions[1])
    #expect(try await secrets.secretValue(name).versionID == versions[1])
  }
}
