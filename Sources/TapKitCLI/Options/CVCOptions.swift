import ArgumentParser
import TapProtocol

/// Where the card's present CVC comes from.
struct CVCOptions: ParsableArguments {
    @Option(
        name: .customLong("cvc-file"),
        help: ArgumentHelp(
            "The CVC is the first line of this file; - for standard input. Otherwise you are asked, on the "
                + "terminal or by pinentry (GnuPG's, or the one that TAPKIT_PINENTRY names). [TAPKIT_CVC_FILE]",
            valueName: "path"), completion: .file())
    var path: String?

    private var source: Setting? { Setting(option: path, variable: "TAPKIT_CVC_FILE") }

    /// The CVCs from the file that was named, for runs that work with several cards.
    /// - Returns: `nil` when no file was named.
    func file() throws(Failure) -> CVCFile? {
        guard let source else { return nil }
        guard readsStandardInput else { return try CVCFile(path: source.text) }
        return CVCFile(try SecretInput.cvc(fromFile: source.text))
    }

    /// Whether a file was named, so that nobody needs to be asked.
    var isGiven: Bool { source != nil }

    /// Whether the CVC is read from standard input, which then cannot carry anything else.
    var readsStandardInput: Bool { source?.text == "-" }
}
