import HTTP

@testable import HTTPServer

/// Runs bytes through parsers as a connection does.
enum Parsing {
  /// What came out.
  enum Result: Equatable {
    case request(String)
    case refused(Int)
    case expectsContinue
  }

  /// Everything at once.
  static func all(_ text: String, _ limits: HTTPServerLimits = HTTPServerLimits()) -> [Result] {
    pieces([text.latin1], limits)
  }

  /// One byte after the other.
  static func byteByByte(_ text: String) -> [Result] {
    pieces(text.latin1.map { [$0] }).filter { $0 != .expectsContinue }
  }

  /// In two pieces.
  static func split(_ text: String, at cut: Int) -> [Result] {
    let bytes = text.latin1
    return pieces([Array(bytes.prefix(cut)), Array(bytes.dropFirst(cut))]).filter { $0 != .expectsContinue }
  }

  private static func pieces(_ pieces: [[UInt8]], _ limits: HTTPServerLimits = HTTPServerLimits()) -> [Result]
  {
    var results: [Result] = []
    var parser = RequestParser(limits: limits)
    var pending: [UInt8] = []
    for piece in pieces {
      pending += piece
      while true {
        let (taken, event) = parser.consume(pending.span)
        pending.removeFirst(taken)
        switch event {
        case .needMore: break
        case .expectContinue:
          results.append(.expectsContinue)
          continue
        case .request(let request, _, _):
          let body = String(decoding: request.body, as: UTF8.self)
          results.append(.request("\(request.method) \(request.path) [\(body)]"))
          parser = RequestParser(limits: limits)
          continue
        case .refuse(let refusal, _): return results + [.refused(refusal.status)]
        }
        break
      }
    }
    return results
  }
}

extension String {
  /// One byte for each scalar, as the samples mean it.
  var latin1: [UInt8] { unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
}
