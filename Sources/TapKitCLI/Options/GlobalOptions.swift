import ArgumentParser
import Bitcoin
import TapManager
import TapProtocol

/// The options that every verb takes. An option beats its environment variable.
struct GlobalOptions: ParsableArguments {
    @Option(
        name: .customLong("reader"),
        help: ArgumentHelp(
            "Which reader: \(ReaderSpec.formsText) (tapkit help readers). [TAPKIT_READER]", valueName: "spec"))
    var readerText: String?

    @Option(
        name: .customLong("card"),
        help: ArgumentHelp("Only a card whose ident contains TEXT. [TAPKIT_CARD]", valueName: "text"))
    var cardText: String?

    @Option(
        name: .customLong("wait"),
        help: ArgumentHelp(
            "Wait for a reader, a card, or the card's return, so many seconds or until Ctrl-C.", valueName: "seconds"))
    var waitText: String?

    @Option(
        name: .customLong("network"),
        help: ArgumentHelp(
            "main, test, testnet4, signet or regtest; default: what the card says. [TAPKIT_NETWORK]",
            valueName: "network"), completion: .list(["main", "test", "testnet4", "signet", "regtest"]))
    var networkText: String?

    @Option(
        name: .customLong("chain"),
        help: ArgumentHelp(
            "Chain server: esplora:URL, electrum:HOST:PORT[:t|:s], core:URL. [TAPKIT_CHAIN]", valueName: "spec"))
    var chainText: String?

    @Option(
        name: .customLong("proxy"),
        help: ArgumentHelp(
            "The way to the chain server, as socks5h://127.0.0.1:9050 for Tor. [TAPKIT_PROXY]", valueName: "url"))
    var proxyText: String?

    @Flag(name: .customLong("json"), help: "One JSON object on standard output; people's text on standard error.")
    var isJSON = false

    @Flag(name: .customLong("progress"), help: "With --json: what happens, one JSON object a line, on standard error.")
    var showsProgress = false

    @OptionGroup var cvcOptions: CVCOptions

    @Option(
        name: .customLong("data-dir"),
        help: ArgumentHelp(
            "Where the local store is; default: $XDG_DATA_HOME/tapkit. [TAPKIT_DATA_DIR]", valueName: "dir"),
        completion: .directory)
    var dataFolderText: String?

    @Option(
        name: .customLong("root-key"),
        help: ArgumentHelp(
            "Also accept this factory root (33 bytes, hexadecimal; repeatable). [TAPKIT_ROOT_KEY]", valueName: "hex"))
    var rootKeyTexts: [String] = []

    @Flag(
        name: [.customShort("y"), .customLong("yes")],
        help: "No confirmation questions; findings that can lose money need --accept as well.")
    var isConfirmed = false

    @Option(
        name: .customLong("accept"),
        help: ArgumentHelp(
            "With --yes: accept the finding with this code (repeatable; tapkit help findings).", valueName: "code"),
        completion: .list(FindingCode.allCases.filter { $0.needsAcceptance && $0 != .policy }.map(\.rawValue)))
    var acceptedTexts: [String] = []

    @Flag(name: [.customShort("v"), .customLong("trace")], help: "Explain steps; show every APDU, secrets masked.")
    var isTracing = false
}

extension GlobalOptions {
    /// The streams this run writes to.
    var console: Console { Console(isJSON: isJSON, showsProgress: showsProgress) }

    /// Whether a reader was asked for in this run, and not once and for all.
    var isReaderNamed: Bool { Setting(option: readerText, variable: "TAPKIT_READER") != nil }

    /// Which reader was asked for; `nil`: none.
    func namedReaderSpec() throws(Failure) -> ReaderSpec? { try ReaderSpec.asked(readerText) }

    /// Which reader was asked for, or any PC/SC reader.
    func readerSpec() throws(Failure) -> ReaderSpec { try namedReaderSpec() ?? .usual }

    /// Which card was asked for.
    var cardChoice: CardChoice { CardChoice.asked(cardText) }

    /// How long to wait for a reader, a card or its return; `nil`: not at all.
    func waiting() throws(Failure) -> Patience? {
        guard let waitText else { return nil }
        if waitText == Self.foreverText { return .unlimited }
        guard let seconds = Int(waitText), (0...86_400).contains(seconds) else {
            throw Failure(.usage, "--wait takes whole seconds, 0 to 86400, not “\(waitText)”.")
        }
        return .limited(.seconds(seconds))
    }

    /// What `--wait` without a number is rewritten to before parsing.
    static let foreverText = "forever"

    /// The network's name as it was given in this run, and not once and for all.
    var networkName: String? { Setting(option: networkText, variable: "TAPKIT_NETWORK")?.text }

    /// The network that was asked for; `nil`: what the card says.
    func network() throws(Failure) -> Network? { try Network.asked(networkText) }

    /// The network that was typed in this run, and not set for all; `nil`: none.
    func typedNetwork() throws(Failure) -> Network? { networkText == nil ? nil : try network() }

    /// The factory roots accepted beside the maker's.
    func customRoots() throws(Failure) -> [PublicKey] { try [PublicKey].asked(rootKeyTexts) }
}
