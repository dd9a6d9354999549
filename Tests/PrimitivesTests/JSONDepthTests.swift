import FoundationEssentials
import Glibc
import Primitives
import Synchronization
import Testing

@Suite("JSONValue: nesting")
struct JSONDepthTests {
  /// Decodes `depth` arrays or objects within each other on a thread with a stack of 512 KiB; nil when refused.
  private func decode(depth: Int, open: String, close: String, core: String) async -> JSONValue? {
    let text = String(repeating: open, count: depth) + core + String(repeating: close, count: depth)
    let result = Mutex<JSONValue?>(nil)
    await onSmallStack {
      let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
      _ = value?.serialized
      _ = value == value
      result.withLock { $0 = value }
    }
    return result.withLock { $0 }
  }

  private func onSmallStack(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      final class Job {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
      }
      let job = Job {
        work()
        continuation.resume()
      }
      var attributes = pthread_attr_t()
      pthread_attr_init(&attributes)
      pthread_attr_setstacksize(&attributes, 512 * 1024)
      pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
      var thread = pthread_t()
      let raw = Unmanaged.passRetained(job).toOpaque()
      let code = pthread_create(
        &thread, &attributes,
        { raw in
          if let raw { Unmanaged<Job>.fromOpaque(raw).takeRetainedValue().run() }
          return nil
        }, raw)
      pthread_attr_destroy(&attributes)
      #expect(code == 0)
    }
  }

  @Test(
    "Nesting up to the limit is read on a stack of 512 KiB; beyond it is refused, not overflowed",
    arguments: [("[", "]", "1"), (#"{"a":"#, "}", "1"), (#"[{"a":"#, "}]", "1")])
  func nesting(open: String, close: String, core: String) async {
    let levels = open.hasPrefix("[{") ? 2 : 1
    let deepest = JSONValue.deepestNesting / levels
    #expect(await decode(depth: deepest, open: open, close: close, core: core) != nil)
    #expect(await decode(depth: deepest + 1, open: open, close: close, core: core) == nil)
    #expect(await decode(depth: 510 / levels, open: open, close: close, core: core) == nil)
    #expect(await decode(depth: 50_000, open: open, close: close, core: core) == nil)
  }
}
