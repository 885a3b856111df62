import Bitcoin

/// HWI's options for every command, and tapkit's own for cards, CVC and store.
///
/// Spec: HWI 3.2.0, `hwilib/_cli.py`.
struct HWIGlobals: Sendable {
    private static let devicePath = HWIOption(
        "device-path", short: "d", value: .text("path"),
        help: "The reader with the card, as listed by enumerate.")
    private static let deviceType = HWIOption(
        "device-type", short: "t", value: .text("type"),
        help: "tapsigner or satschip; by itself: the first one found.")
    private static let fingerprint = HWIOption(
        "fingerprint", short: "f", value: .text("hex"), help: "The card whose master key has this fingerprint.")
    private static let password = HWIOption(
        "password", short: "p", value: .secret("cvc"),
        help: "The CVC. Others may see it on the command line: prefer --stdinpass, --cvc-file or pinentry.")
    private static let readsPassword = HWIOption(
        "stdinpass", help: "Ask for the CVC when it is needed; without a terminal, read it from standard input.")
    private static let chain = HWIOption(
        "chain", "network", value: .choice("chain", ["main", "test", "regtest", "signet", "testnet4"]),
        help: "main, test, regtest, signet or testnet4.")
    /// More words come from standard input.
    static let readsWords = HWIOption("stdin", help: "Read more words from standard input, up to an empty line.")
    private static let isInteractive = HWIOption(
        "interactive", short: "i", help: "Required for setup, which asks for the new CVC.")
    private static let isExpert = HWIOption(
        "expert", help: "Show more: the contents of an xpub, and cards without a known fingerprint.")
    private static let allowsEmulators = HWIOption(
        "emulators", help: "Also show simulated cards (--reader sim:FILE).")
    private static let isTracing = HWIOption(
        "debug", "trace", short: "v", help: "Show every step on standard error, like tapkit's --trace.")
    private static let reader = HWIOption(
        "reader", value: .text("spec"), isOurs: true,
        help: "Where to look for cards, as for tapkit's other verbs. [TAPKIT_READER]")
    private static let card = HWIOption(
        "card", value: .text("text"), isOurs: true, help: "Use only a card whose ident contains TEXT. [TAPKIT_CARD]")
    private static let cvcFile = HWIOption(
        "cvc-file", value: .text("path"), isOurs: true,
        help: "Read the CVC from the first line of this file; - for standard input. [TAPKIT_CVC_FILE]")
    private static let dataFolder = HWIOption(
        "data-dir", value: .text("dir"), isOurs: true, help: "The folder of the local store. [TAPKIT_DATA_DIR]")
    private static let rootKey = HWIOption(
        "root-key", value: .text("hex"), isRepeatable: true, isOurs: true,
        help: "Also accept this factory root key. [TAPKIT_ROOT_KEY]")

    /// The options of every command.
    static let options = [
        devicePath, deviceType, fingerprint, password, readsPassword, chain, readsWords, isInteractive, isExpert,
        allowsEmulators, isTracing, reader, card, cvcFile, dataFolder, rootKey,
    ]
    /// These, and those that show help and version.
    static let all = options + [HWIGrammar.version, HWIGrammar.help]

    let devicePath: String?
    let deviceType: String?
    let fingerprint: String?
    let password: SecretBytes?
    let readsPassword: Bool
    /// The network of all answers; `nil`: not given.
    let network: Network?
    let isInteractive: Bool
    let isExpert: Bool
    let allowsEmulators: Bool
    /// Where cards, CVC and store are.
    let places: HWIPlaces

    init(_ values: HWIValues) {
        devicePath = values.text(Self.devicePath)
        deviceType = values.text(Self.deviceType)
        fingerprint = values.text(Self.fingerprint)
        password = values.password
        readsPassword = values.has(Self.readsPassword)
        network = values.text(Self.chain).flatMap { Network(rawValue: $0) }
        isInteractive = values.has(Self.isInteractive)
        isExpert = values.has(Self.isExpert)
        allowsEmulators = values.has(Self.allowsEmulators)
        places = HWIPlaces(
            devicePath: values.text(Self.devicePath), reader: values.text(Self.reader), card: values.text(Self.card),
            cvcFile: values.text(Self.cvcFile), dataFolder: values.text(Self.dataFolder),
            rootKeys: values.texts(Self.rootKey), isTracing: values.has(Self.isTracing))
    }
}
