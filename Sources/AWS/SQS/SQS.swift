import Primitives

/// Amazon Simple Queue Service's actions, typed, for standard queues.
package struct SQS: Sendable {
  private let client: AWSClient
  /// SendMessageBatch takes so many messages at once …
  private static let batchSize = 10
  /// … and so many bytes: what every region took before the limit was raised to 1 MiB.
  private static let batchBytes = 256 << 10

  /// The actions over `client`.
  package init(client: AWSClient) { self.client = client }

  /// Queues every one of `bodies`, in no order; each may come to be there twice. Some may be queued when it fails.
  package func sendMessages(_ bodies: [String], to queueURL: String) async throws(AWSError) {
    var rest = bodies[...]
    while !rest.isEmpty {
      let batch = Self.nextBatch(&rest)
      try await send(batch, to: queueURL)
    }
  }

  private static func nextBatch(_ rest: inout ArraySlice<String>) -> [String] {
    var batch: [String] = []
    var bytes = 0
    while let body = rest.first, batch.count < batchSize,
      batch.isEmpty || bytes + body.utf8.count <= batchBytes
    {
      batch.append(body)
      bytes += body.utf8.count
      rest.removeFirst()
    }
    return batch
  }

  private func send(_ batch: [String], to queueURL: String) async throws(AWSError) {
    var open = Array(batch.enumerated())
    for attempt in 1... {
      let failed = try await sendOnce(open, to: queueURL)
      if failed.isEmpty { return }
      guard attempt < client.maximumAttempts else { throw .unavailable }
      open = open.filter { failed.contains($0.offset) }
      try await client.breathe(afterAttempt: attempt)
    }
  }

  /// The places of those that the queue did not take; throws when it never will.
  private func sendOnce(_ batch: [(offset: Int, element: String)], to queueURL: String) async throws(AWSError)
    -> Set<Int>
  {
    var text = JSONText(capacity: 1024)
    text.object { text in
      text.member("QueueUrl", queueURL)
      text.key("Entries")
      text.array { text in
        for (place, body) in batch {
          text.object {
            $0.member("Id", String(place))
            $0.member("MessageBody", body)
          }
        }
      }
    }
    let reply = try await client.call(SQSAction.sendMessageBatch, body: text.bytes)
    let failed = reply["Failed"]?.array ?? []
    if let hopeless = failed.first(where: { $0["SenderFault"]?.bool ?? false }) {
      throw .service(ServiceFailure(code: hopeless["Code"]?.string ?? "SenderFault"))
    }
    return Set(failed.compactMap { $0["Id"]?.string.flatMap { Int($0) } })
  }
}
