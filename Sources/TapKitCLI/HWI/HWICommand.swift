import ArgumentParser

/// A command of HWI's: what it answers is written as JSON in one line.
protocol HWICommand: ParsableCommand {
    associatedtype Answer: Encodable

    /// HWI's options for every command.
    var globals: HWIGlobals { get }

    /// Does what is asked for.
    /// - Throws: `HWIError`, `Failure`, `FlowError`, all of which are told as HWI does.
    func answer(_ session: HWISession) async throws -> Answer
}

/// What commands answer that only do something.
struct HWISuccess: Encodable {
    var success = true
}
