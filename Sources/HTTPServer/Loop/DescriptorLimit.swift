import Glibc

/// How many descriptors the process may have open (RLIMIT_NOFILE).
package enum DescriptorLimit {
  /// The limit in force.
  package static var current: Int {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return 1024 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Raises the limit to what the process may take; systems start with as few as 1024 for the sake of
  /// programs that use `select`. For an executable to call before it makes a server. The limit afterwards.
  @discardableResult
  package static func raise() -> Int {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return current }
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
    return current
  }

  private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
}
