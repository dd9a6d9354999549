import Domain

/// What `export` and `import` say: no secret, no digest of a single account, no address.
struct MoveReport {
  /// The report's lines.
  let lines: [String]
  /// What is left to do, for people.
  let complaints: [String]
  /// 0 when everything is there and equal; in a dry run, when nothing would keep it from being.
  let status: Int32

  /// The report of a whole run.
  init(_ summary: MoveSummary, _ mode: MoveMode) {
    lines =
      Self.counts(summary, mode) + [
        "source digest: \(Self.hex(summary.sourceDigest))",
        "destination digest: \(Self.hex(summary.destinationDigest))",
      ]
    let isFine = mode.isDryRun ? summary.isUnhindered : summary.isComplete
    status = isFine ? 0 : 1
    complaints = Self.left(summary) + [Self.verdict(isFine, mode)]
  }

  private static func counts(_ summary: MoveSummary, _ mode: MoveMode) -> [String] {
    let would = mode.isDryRun ? "to be " : ""
    let owed = summary.owed < MoveSummary.mostOwed ? "\(summary.owed)" : "\(summary.owed) or more"
    return [
      "accounts: \(summary.accounts)",
      "\(would)copied: \(summary.copied)",
      "\(would)overwritten: \(summary.overwritten)",
      "equal: \(summary.equal)",
      "different: \(summary.different)",
      "refused, address taken: \(summary.addressesTaken)",
      "refused, secret unreadable: \(summary.unreadable)",
      "failed: \(summary.failed)",
      "not moved, secrets set aside: \(summary.asides)",
      "not moved, revocations owed: \(owed)",
      "not moved: counts of refreshes, leases",
    ]
  }

  private static func left(_ summary: MoveSummary) -> [String] {
    var left: [String] = []
    switch summary.stop {
    case nil: break
    case .cancelled: left.append("It was interrupted: run it again to go on.")
    case .noList: left.append("The source no longer lists its users: run it again to go on.")
    case .failures:
      left.append("One account after the other failed: mend what the log says, and run it again.")
    }
    if summary.owed > 0 {
      left.append(
        "Revocations are owed at the source: let it run until they are paid (24 hours at most), since nobody else "
          + "will tell Google.")
    }
    if summary.asides > 0 {
      left.append(
        "What is set aside stays at the source for 7 days: 'connections restore EMAIL' there and run this again, or "
          + "let it lapse.")
    }
    return left
  }

  private static func verdict(_ isFine: Bool, _ mode: MoveMode) -> String {
    switch (isFine, mode.isDryRun) {
    case (true, false): "Everything is there and equal."
    case (false, false): "Not everything is there and equal."
    case (true, true): "Nothing is in the way."
    case (false, true): "Settle what is listed above first."
    }
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  // MARK: One account

  /// The line about an account that is not there and equal afterwards; nil for one that is.
  static func line(of account: MovedAccount, _ mode: MoveMode) -> String? {
    switch account.outcome {
    case .copied, .equal, .overwritten: nil
    case .different(let difference): "\(account.id): different: \(explain(difference, mode))"
    case .refused(.addressTaken(let owner)): "\(account.id): refused: its address is also that of \(owner)"
    case .refused(.unreadable):
      "\(account.id): refused: its secret holds no usable tokens and stays where it is; the user has to connect again"
    case .failed(let failure): "\(account.id): failed: \(explain(failure))"
    }
  }

  private static func explain(_ difference: MoveDifference, _ mode: MoveMode) -> String {
    let advice = mode.overwrites ? "" : "; --overwrite replaces it"
    return switch difference {
    case .user: "address, name or time of sign-up; correct or remove one of the two by hand"
    case .password: "password\(advice)"
    case .connection: "connection\(advice)"
    case .connectedThereOnly: "connected at the destination only; disconnect it there if that is not wanted"
    }
  }

  /// Why something was not moved.
  static func explain(_ failure: MoveFailure) -> String {
    switch failure {
    case .source: "the source gave no answer; see the log, and run it again"
    case .destination: "the destination gave no answer; see the log, and run it again"
    case .inUse: "its grant is being refreshed at the source; stop the source, and run it again"
    case .beingRevoked: "its Google account is being revoked at the destination; run it again in a minute"
    case .notAsWritten:
      "what was read back is not what was written; stop whatever writes at the destination, and run it again"
    }
  }
}
