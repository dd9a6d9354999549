import CCurl
import HTTP

/// One libcurl easy handle, used for one transfer after another.
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  private var fieldLines: UnsafeMutablePointer<curl_slist>?

  init() throws(CurlSetupError) {
    guard let pointer = curl_easy_init() else { throw CurlSetupError() }
    self.pointer = pointer
  }

  deinit {
    curl_easy_cleanup(pointer)
    curl_slist_free_all(fieldLines)
  }

  /// How the transfer's server answered; 0 before it did.
  var status: Int { information(CURLINFO_RESPONSE_CODE) }

  /// Whether any byte of the request left, on any of the connections that were tried.
  var requestWasSent: Bool { information(CURLINFO_REQUEST_SIZE) > 0 }

  /// Forgets the last transfer; its connection stays with the multi handle.
  func reset() {
    curl_easy_reset(pointer)
    curl_slist_free_all(fieldLines)
    fieldLines = nil
  }

  /// Makes the handle ready for `transfer`, which must outlive the transfer.
  func prepare(
    for transfer: Transfer, _ configuration: CurlHTTPClient.Configuration
  ) throws(CurlSetupError) {
    try set(CURLOPT_NOSIGNAL, 1)
    try set(CURLOPT_URL, transfer.request.url)
    try set(CURLOPT_PATH_AS_IS, 1)
    try set(CURLOPT_PROTOCOLS_STR, "http,https")
    try set(CURLOPT_FOLLOWLOCATION, 0)
    try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    try set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(configuration.connectTimeout / .milliseconds(1))))
    // Else a name server that does not answer would hold up all transfers when one of them is ended.
    try set(CURLOPT_QUICK_EXIT, 1)
    try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    if let path = configuration.certificateAuthorities { try set(CURLOPT_CAINFO, path) }
    try setMethodAndBody(of: transfer.request)
    try setFields(of: transfer.request)
    try setCallbacks(for: transfer)
  }

  private func setMethodAndBody(of request: HTTPClientRequest) throws(CurlSetupError) {
    let method = request.method
    if method == .head { return try set(CURLOPT_NOBODY, 1) }
    if request.hasContent {
      // The length first: libcurl copies that much. Given the whole body, it sends a small one along with the header.
      try curl_easy_set_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)).check()
      try request.body.withUnsafeBytes { curl_easy_set_body(pointer, $0.baseAddress) }.check()
    }
    if method != (request.hasContent ? .post : .get) { try set(CURLOPT_CUSTOMREQUEST, method.rawValue) }
  }

  private func setFields(of request: HTTPClientRequest) throws(CurlSetupError) {
    let fields = request.fields
    let own = ["content-length", "transfer-encoding", "expect"]
    for field in fields where !own.contains(where: field.name.equalsIgnoringASCIICase) {
      if request.hasContent, field.value == Self.ownType, field.name.equalsIgnoringASCIICase("Content-Type") {
        continue
      }
      // A line that ends with its colon would remove the field; a semicolon sends it empty.
      let isBlank = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
      try append(isBlank ? field.name + ";" : field.name + ": " + field.value)
    }
    if fields["User-Agent"] == nil { try append("User-Agent: PayPulse/1") }
    // Without these lines libcurl would wait for leave to send a large body, and name a type of its own. It looks each
    // line over several times and writes it letter by letter, so there are only those that it needs.
    if request.body.count >= Self.expectedAbove { try append("Expect:") }
    if fields["Content-Type"] == nil, request.hasContent { try append("Content-Type:") }
    guard fieldLines != nil else { return }
    try curl_easy_set_list(pointer, CURLOPT_HTTPHEADER, fieldLines).check()
  }

  /// What libcurl calls a body by itself.
  private static let ownType = "application/x-www-form-urlencoded"

  /// From this size on, and some margin, libcurl asks for leave (`EXPECT_100_THRESHOLD` is 1 MiB).
  private static let expectedAbove = 1 << 16

  private func append(_ line: String) throws(CurlSetupError) {
    guard let longer = curl_slist_append(fieldLines, line) else { throw CurlSetupError() }
    fieldLines = longer
  }

  private func setCallbacks(for transfer: Transfer) throws(CurlSetupError) {
    let context = Unmanaged.passUnretained(transfer).toOpaque()
    for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_PREREQDATA] {
      try curl_easy_set_pointer(pointer, option, context).check()
    }
    try curl_easy_set_data_function(pointer, CURLOPT_WRITEFUNCTION, receiveBody).check()
    try curl_easy_set_data_function(pointer, CURLOPT_HEADERFUNCTION, receiveHeaderLine).check()
    try curl_easy_set_attempt_function(pointer, beginAttempt).check()
  }

  private func set(_ option: CURLoption, _ value: Int) throws(CurlSetupError) {
    try curl_easy_set_long(pointer, option, value).check()
  }

  private func set(_ option: CURLoption, _ value: String) throws(CurlSetupError) {
    try curl_easy_set_string(pointer, option, value).check()
  }

  private func information(_ info: CURLINFO) -> Int {
    var value = 0
    return curl_easy_get_long(pointer, info, &value) == CURLE_OK ? value : 0
  }
}
