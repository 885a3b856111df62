import ArgumentParser
import Bitcoin
import ByteCodec
import Glibc
import TapProtocol

/// The options that every verb takes. An option beats its environment variable.
struct GlobalOptions: ParsableArguments {
    @Option(
        name: .customLong("reader"),
        help: ArgumentHelp(
            "Which reader: pcsc, pcsc:TEXT (name contains TEXT), sim:FILE. [TAPKIT_READER]", valueName: "spec"))
    var readerText: String?

    @Option(
        name: .customLong("card"),
        help: ArgumentHelp("Only a card whose ident contains TEXT. [TAPKIT_CARD]", valueName: "text"))
    var cardText: String?

    @Option(
        name: .customLong("wait"),
        help: ArgumentHelp(
            "Wait for a reader, a card, or the card's return: --wait, or --wait=SECONDS.", valueName: "seconds"))
    var waitText: String?

    @Option(
        name: .customLong("network"),
        help: ArgumentHelp(
            "main, test, testnet4, signet or regtest; default: what the card says. [TAPKIT_NETWORK]",
            valueName: "network"))
    var networkText: String?

    @Flag(name: .customLong("json"), help: "One JSON object on standard output; people's text on standard error.")
    var isJSON = false

    @Option(
        name: .customLong("root-key"),
        help: ArgumentHelp(
            "Also accept this factory root (33 bytes, hexadecimal; repeatable). [TAPKIT_ROOT_KEY]", valueName: "hex"))
    var rootKeyTexts: [String] = []

    @Flag(name: [.customShort("y"), .customLong("yes")], help: "No confirmation questions.")
    var isConfirmed = false

    @Flag(name: [.customShort("v"), .customLong("trace")], help: "Explain steps; show every APDU, secrets masked.")
    var isTracing = false
}

extension GlobalOptions {
    /// The streams this run writes to.
    var console: Console { Console(isJSON: isJSON) }

    /// Which reader was asked for.
    func readerSpec() throws(Failure) -> ReaderSpec {
        try ReaderSpec(parsing: readerText ?? EnvironmentVariable.value("TAPKIT_READER") ?? "pcsc")
    }

    /// What the card's ident must contain, upper case; `nil`: any card.
    var cardFilter: String? {
        (cardText ?? EnvironmentVariable.value("TAPKIT_CARD"))?.uppercased()
    }

    /// How long to wait for a reader, a card or its return; `nil`: not at all.
    func waiting() throws(Failure) -> Waiting? {
        guard let waitText else { return nil }
        if waitText == Waiting.foreverText { return .forever }
        guard let seconds = Int(waitText), (0...86_400).contains(seconds) else {
            throw Failure(.usage, "--wait takes whole seconds, 0 to 86400, not “\(waitText)”.")
        }
        return .limited(.seconds(seconds))
    }

    /// The network that was asked for; `nil`: what the card says.
    func network() throws(Failure) -> Network? {
        guard let text = networkText ?? EnvironmentVariable.value("TAPKIT_NETWORK") else { return nil }
        guard let network = Network(rawValue: text) else {
            throw Failure(.usage, "Unknown network “\(text)”: main, test, testnet4, signet or regtest.")
        }
        return network
    }

    /// The factory roots accepted beside the maker's.
    func customRoots() throws(Failure) -> [PublicKey] {
        let fromEnvironment =
            EnvironmentVariable.value("TAPKIT_ROOT_KEY")?.split { $0 == "," || $0.isWhitespace }.map(String.init) ?? []
        var keys: [PublicKey] = []
        for text in rootKeyTexts.isEmpty ? fromEnvironment : rootKeyTexts {
            guard let bytes = try? Hex.decode(text), let key = try? PublicKey(bytes) else {
                throw Failure(.usage, "A factory root is a compressed public key of 66 hexadecimal digits.")
            }
            keys.append(key)
        }
        return keys
    }
}

/// How long to wait for the person's hand.
enum Waiting: Sendable, Equatable {
    case forever
    case limited(Duration)

    /// What `--wait` without a number is rewritten to before parsing.
    static let foreverText = "forever"

    /// `nil`: no limit.
    var limit: Duration? {
        switch self {
        case .forever: nil
        case .limited(let duration): duration
        }
    }
}

/// The environment, read where an option was not given.
enum EnvironmentVariable {
    /// The variable's value; `nil` when unset or empty.
    static func value(_ name: String) -> String? {
        guard let pointer = getenv(name) else { return nil }
        let value = String(cString: pointer)
        return value.isEmpty ? nil : value
    }
}
