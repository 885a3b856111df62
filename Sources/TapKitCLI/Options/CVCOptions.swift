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

    /// The CVC from the file that was named, for verbs to call before they look for the card: a CVC that is none is
    /// said before any card is asked.
    /// - Returns: `nil` when no file was named, so that somebody must be asked.
    func fromFile() throws(Failure) -> CVC? {
        guard let source else { return nil }
        return try SecretInput.cvc(fromFile: source.text)
    }

    /// The CVCs from the file that was named, for runs that work with several cards.
    /// - Returns: `nil` when no file was named.
    func book() throws(Failure) -> CVCBook? {
        guard let source else { return nil }
        guard readsStandardInput else { return try CVCBook(path: source.text) }
        return CVCBook(try SecretInput.cvc(fromFile: source.text))
    }

    /// Whether a file was named, so that nobody needs to be asked.
    var isGiven: Bool { source != nil }

    /// Whether the CVC is read from standard input, which then cannot carry anything else.
    var readsStandardInput: Bool { source?.text == "-" }
}
