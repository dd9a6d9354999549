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

/// Called when a connection is there, before the request is written to it.
func beginAttempt(
  context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<CChar>?, _: UnsafeMutablePointer<CChar>?,
  _: Int32,
  _: Int32
) -> Int32 {
  transfer(context).mayBeSent ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer {
  guard let context else { fatalError("libcurl called without its context") }
  return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
}

/// Any number but the one that was offered ends the transfer; none must not be taken for all of an empty
/// piece.
private func refused(_ count: Int) -> Int { count == 0 ? 1 : 0 }
