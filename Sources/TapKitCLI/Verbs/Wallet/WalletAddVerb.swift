import ArgumentParser
import Bitcoin
import TapManager
import TapProtocol

/// `tapkit wallet add`: a wallet from descriptors, or from the cards on the readers.
struct WalletAddVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Watch a wallet: from descriptors, or from one card or several.",
        discussion: """
            Without a descriptor the card tells its account: P2PKH, P2SH-P2WPKH or P2WPKH by its path (BIP-44, 49, 84), \
            else P2WPKH. With --threshold the cards on the readers and, with --wait, those that are laid down one after \
            the other make a multisig wallet, wsh(sortedmulti(…)). Their usual path is m/48h/0h/0h/2h, or m/48h/1h/0h/2h on \
            test networks (BIP-48; tapkit derive moves a card there): at a path of BIP-44, 49, 84 or 86 you are asked.

            Descriptors with private keys are refused. A descriptor - is read from standard input, one a line. --bsms reads \
            the record of a coordinator (BIP-129), whose first address must be the wallet's: compare it with the others'.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "What the wallet is to be called.")
    var name: String

    @Argument(help: "Output descriptors with public keys (BIP-380 to 389).")
    var descriptors: [String] = []

    @Option(help: ArgumentHelp("Several cards: how many signatures are needed.", valueName: "number"))
    var threshold: Int?

    @Option(
        help: ArgumentHelp(
            "Several cards: how many there are; default: as many as lie there, at least --threshold.",
            valueName: "number"))
    var cards: Int?

    @Option(
        help: ArgumentHelp("A coordinator's descriptor record (BIP-129); - for standard input.", valueName: "file"),
        completion: .file())
    var bsms: String?

    @Option(
        help: ArgumentHelp(
            "--bsms: the coordinator's token, 16 or 32 hexadecimal digits, when the record is encrypted.",
            valueName: "hex"))
    var token: String?

    private static let inputLimit = 1 << 20

    func run() async throws {
        guard cards == nil || threshold != nil else { throw Failure(.usage, "--cards needs --threshold.") }
        guard bsms == nil || (threshold == nil && descriptors.isEmpty) else {
            throw Failure(.usage, "--bsms has the wallet's descriptors; none are to be given besides.")
        }
        guard token == nil || bsms != nil else { throw Failure(.usage, "--token is for --bsms.") }
        if let threshold {
            guard descriptors.isEmpty else {
                throw Failure(.usage, "--threshold is for cards; a descriptor has its own threshold.")
            }
            let most = MultisigAccount.maximumKeyCount
            guard (1...most).contains(threshold), (threshold...most).contains(cards ?? threshold) else {
                throw Failure(.usage, "--threshold is 1 to --cards, and that is at most \(most).")
            }
        }
        let source = try source()
        let invocation = try Invocation(options, to: source.isCards ? .changing : .storing)
        let added = try await invocation.during {
            try await invocation.manager.addWallet(named: name, of: source, network: invocation.network)
        }
        let console = invocation.console
        if bsms != nil { console.note(added.hasKnownFingerprint ? Self.knownKey : Self.strangers) }
        let (wallet, stored) = (added.wallet.wallet, added.wallet.stored)
        let isSimulated = added.cards.contains(where: \.isSimulated)
        var document = WalletDocument(wallet, created: stored.created)
        document.simulated = isSimulated ? true : nil
        if threshold != nil { document.warnings = Self.warnings(of: added.cards) }
        console.answer(document, lines(added.wallet, isSimulated: isSimulated))
    }

    private func lines(_ opened: OpenedWallet, isSimulated: Bool) -> [String] {
        let (wallet, stored) = (opened.wallet, opened.stored)
        var lines = ["\(isSimulated ? "SIMULATED " : "")Wallet “\(name)” (\(wallet.network)):"]
        lines += stored.descriptors.map { "  \($0)" }
        if let place = wallet.receivingBranch?.place(0), let address = try? wallet.address(at: place) {
            lines.append("  First address: \(address)")
        }
        if stored.descriptors.count == 1, threshold != nil {
            lines.append("  Keep this descriptor: without it, not even all the cards together find the money.")
        }
        return lines
    }

    /// The paths that were asked about.
    private static func warnings(of cards: [CardAtHand]) -> [String] {
        cards.filter { $0.status.path.map(MultisigAccount.isForSingleKey) ?? false }.map {
            "\($0.ident) is at \($0.status.path?.description ?? "m"), where programs look for wallets of one key."
        }
    }

    /// The first address of a coordinator's record proves that the record is whole, and not that you are in it.
    private static let knownKey =
        "A key has the fingerprint of a card that the local store knows, which anybody can copy: "
        + "tapkit wallet receive NAME --verify asks the card itself."
    private static let strangers =
        "WARNING: none of the keys is of a card that the local store knows. Make sure that yours is among them "
        + "(tapkit export cosigner) before anything is paid to this wallet."

    private func source() throws(Failure) -> CardManager.WalletSource {
        if let bsms {
            let record = try BSMSDescriptorRecord(file: bsms, token: token, network: options.network())
            return .descriptors(record.descriptors)
        }
        if descriptors == ["-"] {
            let bytes = try InputFile.read("-", limit: Self.inputLimit)
            let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            return .descriptors(lines.map(String.init))
        }
        if !descriptors.isEmpty { return .descriptors(descriptors) }
        guard let threshold else { return .card(options.cardChoice) }
        return .cards(options.cardChoice, threshold: threshold, count: cards)
    }
}

extension CardManager.WalletSource {
    /// Whether cards are asked.
    fileprivate var isCards: Bool { if case .descriptors = self { false } else { true } }
}
