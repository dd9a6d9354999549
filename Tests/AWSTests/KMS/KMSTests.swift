import AWS
import Primitives
import TestSupport
import Testing

@Suite("KMS on moto")
struct KMSTests {
  private let context = ["user": "å", "secret": "gmail/user/å"]

  @Test("a wrapped key unwraps with its own context alone")
  func contexts() async throws {
    let client = try await MotoWorld.client()
    let kms = KMS(client: client)
    let key = try await client.makeKey()
    let pair = try await kms.generateDataKey(key, context: context)
    #expect(pair.key.expose().count == 32)
    #expect(pair.wrapped != pair.key.expose())
    #expect(try await kms.decrypt(pair.wrapped, key: key, context: context).expose() == pair.key.expose())
    for other in [["user": "å"], [:], ["user": "ä", "secret": "gmail/user/å"]] {
      do throws(AWSError) {
        _ = try await kms.decrypt(pair.wrapped, context: other)
        Issue.record("it opened with \(other)")
      } catch {
        #expect(error.failure?.code == "InvalidCiphertextException")
      }
    }
  }

  @Test("two keys are never the same, and do not show themselves")
  func keys() async throws {
    let client = try await MotoWorld.client()
    let key = try await client.makeKey()
    let first = try await KMS(client: client).generateDataKey(key, context: context)
    let second = try await KMS(client: client).generateDataKey(key, context: context)
    #expect(first.key.expose() != second.key.expose())
    var dumped = ""
    dump(first.key, to: &dumped)
    #expect("\(first.key)" == "<redacted>" && String(reflecting: first.key) == "<redacted>")
    #expect(dumped == "- <redacted>\n")
  }

  @Test("a reply without a key of the right length says nothing")
  func unreadable() async throws {
    for body in [#"{"Plaintext":"AAAA","CiphertextBlob":"AAAA"}"#, #"{"CiphertextBlob":"AAAA"}"#, "{}"] {
      let service = ScriptedService([.reply(200, body)])
      await #expect(throws: AWSError.unavailable) {
        try await KMS(client: service.client()).generateDataKey("k", context: [:])
      }
    }
  }
}
