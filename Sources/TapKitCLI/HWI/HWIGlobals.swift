import ArgumentParser
import Bitcoin
import ByteCodec

/// HWI's options for every command, and those of tapkit's own that say where cards, CVC and store are.
///
/// Spec: HWI 3.2.0, `hwilib/_cli.py`.
struct HWIGlobals: ParsableArguments {
    @Option(
        name: [.customShort("d"), .customLong("device-path")],
        help: ArgumentHelp("The reader that the card lies on, as enumerate names it.", valueName: "path"))
    var devicePath: String?

    @Option(
        name: [.customShort("t"), .customLong("device-type")],
        help: ArgumentHelp("tapsigner or satschip; alone: the first one there is.", valueName: "type"))
    var deviceType: String?

    @Option(
        name: [.customShort("f"), .customLong("fingerprint")],
        help: ArgumentHelp("The card whose master key has this fingerprint.", valueName: "hex"))
    var fingerprint: String?

    @Option(
        name: [.customShort("p"), .customLong("password")],
        help: ArgumentHelp(
            "The CVC. Others may see it on the command line: better --stdinpass, --cvc-file or pinentry.",
            valueName: "cvc"))
    var password: String?

    @Flag(name: .customLong("stdinpass"), help: "Ask for the CVC without echo; without a terminal, read a line.")
    var readsPassword = false

    @Option(
        name: [.customLong("chain"), .customLong("network")],
        help: ArgumentHelp("main, test, regtest, signet or testnet4.", valueName: "chain"))
    var chain: String?

    @Flag(name: .customLong("stdin"), help: "Read more words from standard input, up to an empty line.")
    var readsWords = false

    @Flag(
        name: [.customShort("i"), .customLong("interactive")], help: "Needed by setup, which asks for the new CVC.")
    var isInteractive = false

    @Flag(name: .customLong("expert"), help: "Tell more: what is in an xpub, which cards have no known fingerprint.")
    var isExpert = false

    @Flag(name: .customLong("emulators"), help: "Show simulated cards (--reader sim:FILE), too.")
    var allowsEmulators = false

    @Flag(
        name: [.customLong("debug"), .customLong("trace"), .customShort("v")],
        help: "Explain steps on standard error, as tapkit's --trace does.")
    var isTracing = false

    @Option(
        name: .customLong("reader"),
        help: ArgumentHelp("Where to look for cards, as for tapkit's other verbs. [TAPKIT_READER]", valueName: "spec"))
    var reader: String?

    @Option(
        name: .customLong("card"),
        help: ArgumentHelp("Only a card whose ident contains TEXT. [TAPKIT_CARD]", valueName: "text"))
    var card: String?

    @Option(
        name: .customLong("cvc-file"),
        help: ArgumentHelp(
            "The CVC is the first line of this file; - for standard input. [TAPKIT_CVC_FILE]", valueName: "path"))
    var cvcFile: String?

    @Option(
        name: .customLong("data-dir"),
        help: ArgumentHelp("Where the local store is. [TAPKIT_DATA_DIR]", valueName: "dir"))
    var dataFolder: String?

    @Option(
        name: .customLong("root-key"),
        help: ArgumentHelp("Also accept this factory root. [TAPKIT_ROOT_KEY]", valueName: "hex"))
    var rootKeys: [String] = []
}

extension HWIGlobals {
    /// HWI's default.
    private static let defaultChain = Network.main

    /// The network of everything that is answered.
    /// - Throws: `HWIError.missingArguments` for a name that is none; `Failure` for one in the environment.
    func network(_ options: GlobalOptions) throws -> Network {
        guard let chain else { return try options.network() ?? Self.defaultChain }
        guard let network = Network(rawValue: chain.lowercased()) else {
            throw HWIError(
                .missingArguments,
                "argument --chain: invalid choice: '\(chain)' (choose from main, test, regtest, signet, testnet4)")
        }
        return network
    }

    /// The same for tapkit's own flows.
    func ownOptions() throws -> GlobalOptions {
        var words: [String] = []
        let values = [
            ("--reader", devicePath.flatMap(reader(at:)) ?? reader), ("--card", card), ("--cvc-file", cvcFile),
            ("--data-dir", dataFolder),
        ]
        for case (let name, let value?) in values { words.append("\(name)=\(value)") }
        words += rootKeys.map { "--root-key=\($0)" }
        return try GlobalOptions.parse(words + ["--json"] + (isTracing ? ["--trace"] : []))
    }

    /// What `--reader` takes for a device's path; `nil`: there can be no such device.
    func reader(at path: String) -> String? { ReaderSpec(parsing: path) == nil ? nil : path }
}
