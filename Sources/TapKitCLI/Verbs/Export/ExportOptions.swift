import ArgumentParser
import Bitcoin
import TapManager

/// What is exported, and how.
struct ExportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Export a wallet of the local store instead of the card's account.", valueName: "name"),
        completion: .wallets)
    var wallet: String?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The output file; default: standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(help: "descriptors: separate descriptors for addresses and change, for programs without BIP-389.")
    var split = false

    @Option(
        help: ArgumentHelp(
            "core: scan for payments from this day on (YYYY-MM-DD or now); default: the card's date of manufacture; for "
                + "a wallet, the start of the chain.", valueName: "date"))
    var birthday: String?

    @Option(
        help: ArgumentHelp(
            "With a card: p2wpkh, p2sh-p2wpkh or p2pkh; default: by the card's path.", valueName: "type"))
    var addressType: AddressType?

    @Option(help: ArgumentHelp("With a card: its name in Specter, or for the coordinator of bsms.", valueName: "text"))
    var label: String?

    @Option(
        help: ArgumentHelp(
            "bsms: the coordinator's token, 16 or 32 hexadecimal digits, used to encrypt the record; default: 00, not "
                + "encrypted.", valueName: "hex"))
    var token: String?

    /// The file; `nil`: standard output.
    var file: String? { output == "-" ? nil : output }

    /// The requested export; refuses invalid options before a card or the store is used.
    /// - Throws: `Failure`: `.usage`, `.cannotWrite`.
    func order(_ format: ExportFormat) throws(Failure) -> ExportOrder {
        guard !split || format == .descriptors else { throw Failure(.usage, "--split works only with descriptors.") }
        guard birthday == nil || format == .core else { throw Failure(.usage, "--birthday works only with core.") }
        guard token == nil || format == .bsms else { throw Failure(.usage, "--token works only with bsms.") }
        var order = ExportOrder(format)
        (order.isSplit, order.start, order.token) = (split, try start(), try BSMSToken(option: token))
        (order.kind, order.label) = (addressType?.kind, label)
        if wallet == nil {
            guard format.isOfCards else {
                throw Failure(
                    .usage, "\(format.rawValue) is for a wallet of several keys.",
                    hint: "Name one with --wallet; make one with tapkit wallet add --threshold or --policy.")
            }
        } else {
            guard format.isOfWallets else {
                throw Failure(.usage, "\(format.rawValue) is for a card's key, not for a wallet.")
            }
            guard addressType == nil, label == nil else {
                throw Failure(.usage, "--address-type and --label work only with cards; a wallet has its own.")
            }
        }
        if addressType != nil, format.goesByPath {
            throw Failure(.usage, "\(format.rawValue) uses the card's path, not --address-type.")
        }
        if let file {
            do { try AtomicFile.checkWritable(file) } catch { throw Failure(error) }
        }
        return order
    }

    /// When to start scanning for payments; `nil` if not given.
    private func start() throws(Failure) -> RescanStart? {
        guard let birthday else { return nil }
        if birthday == "now" { return .now }
        guard let time = UnixTime(utcDate: birthday) else {
            throw Failure(.usage, "--birthday takes a day, YYYY-MM-DD, or now.")
        }
        return .time(time)
    }
}
