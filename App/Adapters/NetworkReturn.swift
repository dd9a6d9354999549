import Network

/// Tells when the network is back, so that what waited can go on.
enum NetworkReturn {
  /// Runs `body` now if there is a network, and each time that its path changes to a usable one. Ends with the task.
  static func watch(_ body: () async -> Void) async {
    for await path in NWPathMonitor() where path.status == .satisfied { await body() }
  }
}
