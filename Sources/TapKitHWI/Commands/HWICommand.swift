/// A command of HWI's: what it answers is written as JSON in one line.
protocol HWICommand: HWIDescribed {
    associatedtype Answer: Encodable

    /// Whether a CVC that was given must be one. Callers may give every device one password, or name a file that is not
    /// there.
    static var needsCVC: Bool { get }

    /// - Parameter values: what fits the grammar.
    init(_ values: HWIValues)

    /// Does what is asked for.
    /// - Throws: `HWIError`, and whatever the host can explain.
    func answer(_ session: HWISession) async throws -> Answer
}

extension HWICommand {
    static var needsCVC: Bool { true }
}

/// What commands answer that only do something.
struct HWISuccess: Encodable {
    var success = true
}
