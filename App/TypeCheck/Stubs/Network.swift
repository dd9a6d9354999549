// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declarations of Network: only what the adapters use. Written from
// https://developer.apple.com/documentation/network/nwpathmonitor.

public struct NWPath: Sendable {
  public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }
  public var status: Status { fatalError() }
}

public final class NWPathMonitor: AsyncSequence, Sendable {
  public init() {}
  public struct Iterator: AsyncIteratorProtocol {
    public mutating func next() async -> NWPath? { fatalError() }
  }
  public func makeAsyncIterator() -> Iterator { fatalError() }
}
