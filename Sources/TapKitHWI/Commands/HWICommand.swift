/// One of HWI's commands. Its answer is written as one line of JSON.
protocol HWICommand: HWIDescribed {
    associatedtype Answer: Encodable

    /// Whether a given CVC must be valid. Callers may give every device the same password, or name a file that does not
    /// exist.
    static var needsCVC: Bool { get }

    /// - Parameter values: values that fit the grammar.
    init(_ values: HWIValues)

    /// Runs the command.
    /// - Throws: `HWIError`, and any error that the host can explain.
    func answer(_ session: HWISession) async throws -> Answer
}

extension HWICommand {
    static var needsCVC: Bool { true }
}

/// The answer of commands that return no data.
struct HWISuccess: Encodable {
    var success = true
}
