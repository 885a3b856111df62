import ArgumentParser
import Bitcoin
import ChainData
import Settings
import TapManager
import TapProtocol
import Terminal

/// The options that verbs share; those that serve many tasks refuse the ones about a single task. An option overrides its environment variable.
struct GlobalOptions: ParsableArguments {
    @Option(
        name: .customLong("reader"),
        help: ArgumentHelp(
            "The reader to use: \(ReaderSpec.formsText) (tapkit help readers). [TAPKIT_READER]", valueName: "spec"))
    var readerText: String?

    @Option(
        name: .customLong("card"),
        help: ArgumentHelp("Use only a card whose ident contains TEXT. [TAPKIT_CARD]", valueName: "text"))
    var cardText: String?

    @Option(
        name: .customLong("wait"),
        help: ArgumentHelp(
            "Wait for a reader or a card, up to this many seconds or until Ctrl-C.", valueName: "seconds"))
    var waitText: String?

    @Option(
        name: .customLong("network"),
        help: ArgumentHelp(
            "main, test, testnet4, signet or regtest; default: the card's network. [TAPKIT_NETWORK]",
            valueName: "network"), completion: .list(["main", "test", "testnet4", "signet", "regtest"]))
    var networkText: String?

    @Option(
        name: .customLong("chain"),
        help: ArgumentHelp(
            "The chain server: \(ChainServer.forms). [TAPKIT_CHAIN]", valueName: "spec"))
    var chainText: String?

    @Option(
        name: .customLong("proxy"),
        help: ArgumentHelp(
            "The proxy for chain servers, for example socks5h://127.0.0.1:9050 for Tor. [TAPKIT_PROXY]",
            valueName: "url"))
    var proxyText: String?

    @Flag(
        name: .customLong("json"),
        help: "Answer with one JSON object on standard output; text goes to standard error.")
    var isJSON = false

    @Flag(
        name: .customLong("progress"),
        help: "With --json: report progress on standard error, one JSON object per line.")
    var showsProgress = false

    @Option(
        name: .customLong("cvc-file"),
        help: ArgumentHelp(
            "Read the CVC from the first line of this file; - for standard input. Otherwise you are asked, on the "
                + "terminal or by pinentry (GnuPG's, or the one named in TAPKIT_PINENTRY). [TAPKIT_CVC_FILE]",
            valueName: "path"), completion: .file())
    var cvcFileText: String?

    @Option(
        name: .customLong("data-dir"),
        help: ArgumentHelp(
            "The folder of the local store; default: $XDG_DATA_HOME/tapkit. [TAPKIT_DATA_DIR]", valueName: "dir"),
        completion: .directory)
    var dataFolderText: String?

    @Option(
        name: .customLong("root-key"),
        help: ArgumentHelp(
            "Also accept this factory root key (33 bytes in hexadecimal; repeatable). [TAPKIT_ROOT_KEY]",
            valueName: "hex"))
    var rootKeyTexts: [String] = []

    @Flag(
        name: [.customShort("y"), .customLong("yes")],
        help: "Answer all questions with yes; findings that can lose money also need --accept.")
    var isConfirmed = false

    @Option(
        name: .customLong("accept"),
        help: ArgumentHelp(
            "With --yes: accept findings with this code (repeatable; tapkit help findings).", valueName: "code"),
        completion: .list(FindingCode.allCases.filter { $0.needsAcceptance && $0 != .policy }.map(\.rawValue)))
    var acceptedTexts: [String] = []

    @Flag(
        name: [.customShort("v"), .customLong("trace")], help: "Show every step and every APDU, with secrets masked.")
    var isTracing = false
}

extension GlobalOptions {
    /// The output streams of this run.
    var console: Console { Console(isJSON: isJSON, showsProgress: showsProgress) }

    /// Where the card's current CVC was offered: in a file, or by asking for it at a terminal; `nil`: it was not.
    var cvcSource: CVCSource? { CVCSource(option: cvcFileText) }

    /// Whether the CVC comes from standard input, so that nothing else can.
    var readsCVCFromStandardInput: Bool { cvcSource?.isStandardInput ?? false }

    /// Whether a reader was named for this run, not only in the configuration.
    var isReaderNamed: Bool { Setting(option: readerText, variable: "TAPKIT_READER") != nil }

    /// The requested reader; `nil`: none.
    func namedReaderSpec() throws(Failure) -> ReaderSpec? {
        do { return try ReaderSpec.asked(readerText) } catch { throw Failure(error) }
    }

    /// The requested reader, or any PC/SC reader.
    func readerSpec() throws(Failure) -> ReaderSpec { try namedReaderSpec() ?? .usual }

    /// The requested card.
    var cardChoice: CardChoice { CardChoice.asked(cardText) }

    /// How long to wait for a reader or a card; `nil`: do not wait.
    func waiting() throws(Failure) -> Patience? {
        guard let waitText else { return nil }
        if waitText == Self.foreverText { return .unlimited }
        guard let seconds = Int(waitText), (0...86_400).contains(seconds) else {
            throw Failure(.usage, "--wait takes a whole number of seconds from 0 to 86400, not “\(waitText)”.")
        }
        return .limited(.seconds(seconds))
    }

    /// The value that `--wait` without a number gets before parsing.
    static let foreverText = "forever"

    /// The requested network; `nil`: the card's.
    func network() throws(Failure) -> Network? {
        try Network.asked(networkText)
    }

    /// The network typed on the command line; `nil`: none.
    func typedNetwork() throws(Failure) -> Network? { networkText == nil ? nil : try network() }

    /// The factory roots accepted in addition to the maker's.
    func customRoots() throws(Failure) -> [PublicKey] {
        do { return try [PublicKey].asked(rootKeyTexts) } catch { throw Failure(error) }
    }
}
