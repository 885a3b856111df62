import ArgumentParser

/// Whether an existing file may be overwritten.
struct OverwritingOption: ParsableArguments {
    @Flag(help: "Overwrite the output file if it exists.")
    var force = false
}

extension Failure {
    /// An existing file would be lost.
    /// - Parameter reason: what else is wrong with it, as part of the sentence.
    static func wouldOverwrite(_ path: String, because reason: String? = nil) -> Failure {
        Failure(
            .wouldOverwrite, "\(path) exists" + (reason.map { " and \($0)." } ?? "."),
            hint: "Name another file, or overwrite this one with --force.")
    }
}
