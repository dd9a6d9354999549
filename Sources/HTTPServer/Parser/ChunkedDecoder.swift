import HTTP

/// Takes the chunked coding off a body (RFC 9112 section 7.1). Extensions and trailers are checked and dropped.
struct ChunkedDecoder {
  private enum Phase {
    case size
    case data(left: Int)
    case dataEnd
    case trailers
  }

  private static let sizeLineLimit = 256
  private var phase = Phase.size
  private var trailerBytes = 0
  private var trailerLines = 0

  /// Decodes what it can of `bytes` from `position` on, which it moves. True when the body is complete.
  mutating func decode(
    _ bytes: Span<UInt8>, _ position: inout Int, into body: inout [UInt8], limits: HTTPServerLimits
  ) throws(Refusal) -> Bool {
    while true {
      switch phase {
      case .size:
        guard let line = try bytes.line(from: position, limit: Self.sizeLineLimit, tooLong: .malformed) else {
          return false
        }
        let size = try Self.size(bytes.extracting(line), atMost: limits.bodyBytes - body.count)
        position = line.upperBound + 2
        phase = size == 0 ? .trailers : .data(left: size)
      case .data(let left):
        let end = position + min(left, bytes.count - position)
        body.append(bytes, position..<end)
        let missing = left - (end - position)
        position = end
        phase = missing == 0 ? .dataEnd : .data(left: missing)
        if missing > 0 { return false }
      case .dataEnd:
        guard try Self.takeLineEnd(bytes, &position) else { return false }
        phase = .size
      case .trailers:
        guard let line = try trailerLine(bytes, &position, limits) else { return false }
        if line.isEmpty { return true }
      }
    }
  }

  /// A size in hexadecimal, then perhaps extensions (RFC 9112 section 7.1.1).
  private static func size(_ line: Span<UInt8>, atMost limit: Int) throws(Refusal) -> Int {
    var size: UInt64 = 0
    var index = 0
    while index < line.count, let digit = line[index].hexDigit {
      guard index < 16 else { throw .malformed }
      size = size << 4 | digit
      index += 1
    }
    guard index > 0 else { throw .malformed }
    if index < line.count {
      let mark = line.end(of: \.isBlank, from: index)
      guard mark < line.count, line[mark] == UInt8(ascii: ";"),
        line.end(of: \.isFieldValue, from: mark) == line.count
      else { throw .malformed }
    }
    guard size <= UInt64(max(0, limit)) else { throw .bodyTooLarge }
    return Int(size)
  }

  private static func takeLineEnd(_ bytes: Span<UInt8>, _ position: inout Int) throws(Refusal) -> Bool {
    guard position < bytes.count else { return false }
    guard bytes[position] == .carriageReturn else { throw .malformed }
    guard position + 1 < bytes.count else { return false }
    guard bytes[position + 1] == .lineFeed else { throw .malformed }
    position += 2
    return true
  }

  private mutating func trailerLine(
    _ bytes: Span<UInt8>, _ position: inout Int, _ limits: HTTPServerLimits
  ) throws(Refusal) -> Range<Int>? {
    let room = limits.headerBytes - trailerBytes
    guard let line = try bytes.line(from: position, limit: room, tooLong: .headTooLarge) else { return nil }
    if !line.isEmpty {
      trailerBytes += line.count + 2
      trailerLines += 1
      guard trailerLines <= limits.fieldLines else { throw .headTooLarge }
      _ = try HTTPFields.Field(parsing: bytes.extracting(line))
    }
    position = line.upperBound + 2
    return line
  }
}
