import ArgumentParser

/// Whether a file may be written over another one.
struct OverwritingOption: ParsableArguments {
    @Flag(help: "Overwrite the output file if it is there already.")
    var force = false
}

extension Failure {
    /// A file is there that would be lost.
    /// - Parameter reason: what else speaks against it, as a part of the sentence.
    static func wouldOverwrite(_ path: String, because reason: String? = nil) -> Failure {
        Failure(
            .wouldOverwrite, "\(path) exists" + (reason.map { " and \($0)." } ?? "."),
            hint: "Name another file, or overwrite this one with --force.")
    }
}
