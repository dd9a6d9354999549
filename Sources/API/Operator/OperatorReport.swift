/// What a command of the operator's has to say, wherever it was given: on the command line or to a function.
package struct OperatorReport: Sendable, Hashable {
  /// The exit code: 0 when it was done.
  package var status: Int32 = 0
  /// The lines of its output.
  package var output: [String] = []
  /// What went wrong, for people.
  package var complaints: [String] = []

  /// What was done, in these lines.
  static func done(_ output: String...) -> OperatorReport { OperatorReport(output: output) }

  /// Why it was not done.
  static func failed(_ complaint: String) -> OperatorReport {
    OperatorReport(status: 1, complaints: [complaint])
  }
}
