import ArgumentParser
import TapProtocol

/// Where the CVC comes from that the card shall have.
struct NewCVCOptions: ParsableArguments {
    @Option(
        name: .customLong("new-cvc-file"),
        help: ArgumentHelp(
            "The new CVC, 6 to 32 digits, is the first line of this file. Otherwise you are asked twice.",
            valueName: "path"), completion: .file())
    var path: String?

    /// Whether a file was named.
    var isGiven: Bool { path != nil }

    /// The new CVC from the file that was named; its form is checked before any card is asked.
    /// - Parameter present: where the present CVC comes from; both cannot come from standard input.
    /// - Returns: `nil` when no file was named, so that somebody must be asked.
    func fromFile(beside present: CVCOptions) throws(Failure) -> CVC? {
        guard let path else { return nil }
        try GlobalOptions.requireOneInput([("The CVC", present.readsStandardInput), ("the new CVC", path == "-")])
        return try SecretInput.cvc(fromFile: path)
    }
}
