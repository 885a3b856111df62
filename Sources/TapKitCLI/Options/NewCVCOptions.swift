import ArgumentParser
import TapProtocol
import Terminal

/// Where the card's new CVC comes from.
struct NewCVCOptions: ParsableArguments {
    @Option(
        name: .customLong("new-cvc-file"),
        help: ArgumentHelp(
            "Read the new CVC (6 to 32 digits) from the first line of this file. Otherwise you are asked twice.",
            valueName: "path"), completion: .file())
    var path: String?

    /// Whether a file was named.
    var isGiven: Bool { path != nil }

    /// The new CVC from the named file; its form is checked before any card is used.
    /// - Parameter present: where the current CVC was offered; only one of them can come from standard input.
    /// - Returns: `nil` if no file was named, or standard input at a terminal, so that the user must be asked.
    func fromFile(beside present: CVCSource?) throws(Failure) -> CVC? {
        guard let path else { return nil }
        try GlobalOptions.requireOneInput([
            ("The CVC", present?.isStandardInput ?? false), ("the new CVC", InputFile.isStandardInput(path)),
        ])
        guard !SecretInput.isTyped(path) else { return nil }
        return try SecretInput.cvc(in: SecretFile(path: path, subject: .cvc, option: "--new-cvc-file"))
    }
}
