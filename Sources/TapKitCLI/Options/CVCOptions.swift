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

    private var source: CVCSource? { CVCSource(option: path) }

    /// The CVCs from the file that was named, for runs that work with several cards.
    /// - Returns: `nil` when no file was named.
    func file() throws(Failure) -> CVCFile? { try source?.file() }

    /// Whether a file was named, so that nobody needs to be asked.
    var isGiven: Bool { source != nil }

    /// Whether the CVC is read from standard input, which then cannot carry anything else.
    var readsStandardInput: Bool { source?.isStandardInput ?? false }
}

/// The file that CVCs are read from.
struct CVCSource {
    private let path: String

    /// The one that was named; `nil`: none was.
    init?(option: String?) {
        guard let setting = Setting(option: option, variable: "TAPKIT_CVC_FILE") else { return nil }
        path = setting.text
    }

    /// Whether it is standard input.
    var isStandardInput: Bool { path == "-" }

    /// What stands there, for runs that work with several cards; one CVC on standard input.
    func file() throws(Failure) -> CVCFile {
        isStandardInput ? CVCFile(try SecretInput.cvc(fromFile: path)) : try CVCFile(path: path)
    }
}
