#if canImport(Security)
  import Dispatch
  import Foundation
  import Security

  /// One generic password in the device's Keychain: readable after the first unlock, never leaving this device.
  /// Its blocking calls run on a queue of their own.
  struct KeychainItem: Sendable {
    let service: String
    /// Nil stands for every account of the service, to remove them all.
    let account: String?
    private let queue = DispatchQueue(label: "io.paypulse.keychain")

    init(service: String, account: String?) {
      self.service = service
      self.account = account
    }

    /// The content; nil when there is no such item.
    func read() async throws(StorageError) -> [UInt8]? {
      try await onQueue { () throws(StorageError) -> [UInt8]? in
        var query = identity
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess, let data = found as? Data else { throw .keychain(status: status) }
        return [UInt8](data)
      }
    }

    /// Replaces the content.
    func write(_ bytes: [UInt8]) async throws(StorageError) {
      try await onQueue { () throws(StorageError) in
        let content: [CFString: Any] = [
          kSecValueData: Data(bytes), kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        var status = SecItemUpdate(identity as CFDictionary, content as CFDictionary)
        if status == errSecItemNotFound {
          let item = identity.merging(content) { _, new in new }
          status = SecItemAdd(item as CFDictionary, nil)
        }
        guard status == errSecSuccess else { throw .keychain(status: status) }
      }
    }

    /// Removes the item; fine when there is none.
    func remove() async throws(StorageError) {
      try await onQueue { () throws(StorageError) in
        let status = SecItemDelete(identity as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else { throw .keychain(status: status) }
      }
    }

    private var identity: [CFString: Any] {
      var query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service,
      ]
      if let account { query[kSecAttrAccount] = account }
      query[kSecUseDataProtectionKeychain] = true
      return query
    }

    private func onQueue<Value: Sendable>(
      _ work: @escaping @Sendable () throws(StorageError) -> Value
    ) async throws(StorageError) -> Value {
      let result: Result<Value, StorageError> = await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: Result { () throws(StorageError) in try work() }) }
      }
      return try result.get()
    }
  }
#endif
