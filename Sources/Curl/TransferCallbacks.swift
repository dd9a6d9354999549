import CCurl
import Glibc

/// Called by libcurl, on the loop's thread, with a piece of the reply's body.
func receiveBody(
  bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
  let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return transfer(context).receive(body: piece) ? piece.count : refused(piece.count)
}

/// Called with each whole line of a header.
func receiveHeaderLine(
  bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
  let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return transfer(context).receive(headerLine: line) ? line.count : refused(line.count)
}

/// Called for a piece of the request's body; none is its end.
func provideBody(
  bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
  transfer(context).nextPiece(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
}

/// Called when the request's body is to be sent again, from `offset` bytes after its `origin`.
func rewindBody(context: UnsafeMutableRawPointer?, offset: curl_off_t, origin: Int32) -> Int32 {
  origin == SEEK_SET && transfer(context).rewind(to: Int(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer {
  guard let context else { fatalError("libcurl called without its context") }
  return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
}

/// Any number but the one that was offered ends the transfer; none must not be taken for all of an empty
/// piece.
private func refused(_ count: Int) -> Int { count == 0 ? 1 : 0 }
