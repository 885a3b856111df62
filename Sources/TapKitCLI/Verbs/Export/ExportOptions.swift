import ArgumentParser
import Bitcoin
import TapManager

/// What is exported, and how.
struct ExportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A wallet of the local store instead of the card's account.", valueName: "name"),
        completion: .wallets)
    var wallet: String?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The file; default: standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var overwriting: OverwritingOption

    @Flag(help: "descriptors: addresses and change in a descriptor each, for programs that do not know BIP-389.")
    var split = false

    @Option(
        help: ArgumentHelp(
            "core: look for payments from this day on: YYYY-MM-DD or now; default: when the card was made, the "
                + "wallet's first known transaction, or else the beginning of the chain.", valueName: "date"))
    var birthday: String?

    @Option(
        help: ArgumentHelp(
            "The card: p2wpkh, p2sh-p2wpkh or p2pkh; default: what its path stands for.", valueName: "type"))
    var addressType: AddressType?

    @Option(help: ArgumentHelp("The card: what Specter, or the coordinator of bsms, is to call it.", valueName: "text"))
    var label: String?

    @Option(
        help: ArgumentHelp(
            "bsms: the coordinator's token, 16 or 32 hexadecimal digits, with which the record is encrypted; default: 00, "
                + "not encrypted.", valueName: "hex"))
    var token: String?

    /// The file; `nil`: standard output.
    var file: String? { output == "-" ? nil : output }

    /// The order that was given; refuses what makes no sense before a card or the store is asked.
    /// - Throws: `Failure`: `.usage`, `.cannotWrite`.
    func order(_ format: ExportFormat) throws(Failure) -> ExportOrder {
        guard !split || format == .descriptors else { throw Failure(.usage, "--split is for descriptors.") }
        guard birthday == nil || format == .core else { throw Failure(.usage, "--birthday is for core.") }
        guard token == nil || format == .bsms else { throw Failure(.usage, "--token is for bsms.") }
        var order = ExportOrder(format)
        (order.isSplit, order.start, order.token) = (split, try start(), try BSMSToken(option: token))
        (order.kind, order.label) = (addressType?.kind, label)
        if wallet == nil {
            guard format.isOfCards else {
                throw Failure(
                    .usage, "\(format.rawValue) tells a wallet of several keys.",
                    hint: "Name one with --wallet; tapkit wallet add --threshold makes one of cards.")
            }
        } else {
            guard format.isOfWallets else {
                throw Failure(.usage, "\(format.rawValue) tells a card's key, not a wallet.")
            }
            guard addressType == nil, label == nil else {
                throw Failure(.usage, "--address-type and --label are for cards; a wallet has its own.")
            }
        }
        if addressType != nil, format.goesByPath {
            throw Failure(.usage, "\(format.rawValue) goes by the card's path, not by --address-type.")
        }
        if let file {
            do { try AtomicFile.checkWritable(file) } catch { throw Failure(error) }
        }
        return order
    }

    /// From when on payments are to be looked for; `nil` when nothing was said.
    private func start() throws(Failure) -> RescanStart? {
        guard let birthday else { return nil }
        if birthday == "now" { return .now }
        guard let time = UnixTime(utcDate: birthday) else {
            throw Failure(.usage, "--birthday is a day, YYYY-MM-DD, or now.")
        }
        return .time(time)
    }
}
