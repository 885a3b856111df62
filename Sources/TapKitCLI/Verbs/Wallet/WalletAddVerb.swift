import AnswerDocuments
import ArgumentParser
import Bitcoin
import TapManager
import TapProtocol
import Terminal
import TextLayout

/// `tapkit wallet add`: adds a wallet from descriptors, or from the cards on the readers.
struct WalletAddVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a wallet from descriptors, or from one or more cards.",
        discussion: """
            Without a descriptor, the wallet is the card's account: P2PKH, P2SH-P2WPKH or P2WPKH by its path (BIP-44, \
            49, 84), otherwise P2WPKH. With --threshold, the cards on the readers form a multisig wallet, \
            wsh(sortedmulti(…)); with --wait, you can also put them on the reader one after the other. Their usual \
            path is m/48h/0h/0h/2h, or m/48h/1h/0h/2h on test networks (BIP-48; move a card there with tapkit derive). \
            If a card is at a path of BIP-44, 49, 84 or 86, you are asked first, and also if a single card at a path \
            of BIP-48 would become a wallet of its own.

            Descriptors with private keys are refused. If the descriptor is -, descriptors are read from standard \
            input, one per line. --bsms reads a coordinator's record (BIP-129), and checks that its first address is \
            the wallet's: compare that address with the other cosigners. --from reads the wallet of another program: \
            Liana's descriptor or backup (JSON), a descriptor of Nunchuk, Sparrow or Specter, or a record.

            --policy makes a wallet whose rules change with time, from your cards' keys and those of others: see \
            tapkit help policies. On a terminal you are asked for what is missing; the policy and its risks are shown \
            before the wallet is made.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The wallet's name.")
    var name: String

    @Argument(help: "Output descriptors with public keys (BIP-380 to BIP-389).")
    var descriptors: [String] = []

    @OptionGroup var policy: PolicyOptions

    @Option(
        help: ArgumentHelp("For several cards or with --policy: how many signatures are needed.", valueName: "number"))
    var threshold: Int?

    @Option(
        help: ArgumentHelp(
            "For several cards: how many there are; default: all that are on the readers, at least --threshold.",
            valueName: "number"))
    var cards: Int?

    @Option(
        help: ArgumentHelp("A coordinator's descriptor record (BIP-129); - for standard input.", valueName: "file"),
        completion: .file())
    var bsms: String?

    @Option(
        help: ArgumentHelp(
            "With --bsms: the coordinator's token, 16 or 32 hexadecimal digits, if the record is encrypted.",
            valueName: "hex"))
    var token: String?

    @Option(
        help: ArgumentHelp(
            "A registration that tapkit wallet register wrote, with the wallet in it; - for standard input.",
            valueName: "file"), completion: .file())
    var registration: String?

    @Option(
        help: ArgumentHelp(
            "A wallet as Liana, Nunchuk or another program wrote it; - for standard input.", valueName: "file"),
        completion: .file())
    var from: String?

    private static let inputLimit = 1 << 20

    func run() async throws {
        try requireOneSource()
        let added: CardManager.AddedWallet
        let invocation: Invocation
        if let registration {
            let text = try registered(in: registration)
            invocation = try Invocation(options, to: .storing)
            added = try await invocation.manager.addWallet(registeredAs: text, network: invocation.network)
        } else if let template = policy.template {
            (added, invocation) = try await addPolicy(template)
        } else {
            let (source, fileNetwork) = try source()
            invocation = try Invocation(options, to: source.isCards ? .changing : .storing)
            let current = invocation
            added = try await current.during {
                try await current.manager.addWallet(named: name, of: source, network: current.network ?? fileNetwork)
            }
        }
        let console = invocation.console
        if bsms != nil || registration != nil || from != nil || policy.template != nil {
            console.note(note(on: added))
        }
        console.answer(
            WalletDocument(added, isOfSeveralCards: threshold != nil && policy.template == nil),
            lines(added.wallet, isSimulated: added.cards.contains(where: \.isSimulated)), remarks: remarks(on: added))
    }

    /// - Throws: `Failure.usage` for options that do not work together.
    private func requireOneSource() throws(Failure) {
        guard policy.template != nil || !policy.hasContent else {
            throw Failure(
                .usage, "--key, --later-key (--heir), --later-threshold and --after work only with --policy.",
                hint: "List the policies with tapkit help policies.")
        }
        let sources = [policy.template?.rawValue, from, bsms, registration].count { $0 != nil }
        guard sources < 2, policy.template == nil || (descriptors.isEmpty && cards == nil) else {
            throw Failure(
                .usage, "Only one of --policy, --from, --bsms, --registration, --cards and descriptors is possible.")
        }
        for (option, file) in [("--from", from), ("--registration", registration), ("--bsms", bsms)] where file != nil {
            guard threshold == nil, descriptors.isEmpty else {
                throw Failure(.usage, "\(option) contains the wallet's descriptors; do not give others.")
            }
        }
        guard cards == nil || threshold != nil else { throw Failure(.usage, "--cards needs --threshold.") }
        guard token == nil || bsms != nil else { throw Failure(.usage, "--token works only with --bsms.") }
        if let threshold, policy.template == nil {
            guard descriptors.isEmpty else {
                throw Failure(.usage, "--threshold works only with cards; a descriptor has its own threshold.")
            }
            let most = MultisigAccount.maximumKeyCount
            guard (1...most).contains(threshold), (threshold...most).contains(cards ?? threshold) else {
                throw Failure(.usage, "--threshold takes 1 to --cards, and --cards at most \(most).")
            }
        }
    }

    private func remarks(on added: CardManager.AddedWallet) -> [String] {
        let word = ShellWord.quoted(name)
        let others = added.sharing.map { "“\($0)”" }.joined(separator: ", ")
        return (others.isEmpty ? [] : ["These descriptors are already stored under another name: \(others)."])
            + (added.wallet.wallet.hasUnlistedPaths ? [WalletText.unlistedPaths] : []) + [
                "Next: tapkit wallet receive \(word) for an address, tapkit wallet sync \(word) for the balance"
            ]
    }

    private func lines(_ opened: OpenedWallet, isSimulated: Bool) -> [String] {
        let (wallet, stored) = (opened.wallet, opened.stored)
        var lines = ["\(SimulatedMark.text(if: isSimulated))Wallet “\(name)” (\(wallet.network)):"]
        lines += stored.descriptors.map { "  \($0)" }
        if let address = wallet.firstAddress {
            lines.append("  First address: \(address)")
        }
        if stored.descriptors.count == 1, threshold != nil || policy.template != nil {
            let keys = policy.template == nil ? "cards" : "keys"
            lines.append("  Keep this descriptor: without it, even all the \(keys) together cannot find the money.")
        }
        return lines
    }

    /// Whether the user's own key is in a wallet that came from a file: the first address of a coordinator's record proves
    /// that the record is complete, not that.
    private func note(on added: CardManager.AddedWallet) -> String {
        guard added.hasKnownFingerprint else { return Self.strangers }
        let prove = "tapkit wallet receive \(TerminalText.neutralized(ShellWord.quoted(name))) --verify"
        guard let first = added.claimedKeys.first else {
            return "The cards that the local store knows have proven their keys in this wallet. As anyone can copy a "
                + "fingerprint or alter the store, let a card prove an address before you pay to it: \(prove)"
        }
        guard added.claimedKeys.count == 1 else {
            return "\(added.claimedKeys.count) keys have fingerprints of cards that the local store knows, but the "
                + "cards have not proven them, and anyone can copy a fingerprint. Let the cards prove them: \(prove)"
        }
        return "The key \(first) has the fingerprint of a card that the local store knows, but the card has not proven "
            + "it, and anyone can copy a fingerprint. Let the card prove it: \(prove)"
    }

    private static let strangers =
        "WARNING: None of the keys belongs to a card that the local store knows. Make sure that your key is one of "
        + "them (tapkit export cosigner) before you pay to this wallet."

    /// The name is part of what the card signed.
    private func registered(in file: String) throws -> RegistrationText {
        let text = try RegistrationFile.read(file)
        guard text.name == name else {
            throw Failure(
                .usage,
                "The card registered this wallet as “\(TerminalText.neutralized(text.name))”: give it that name.")
        }
        return text
    }

    /// What the wallet is made from, and the network that a file names.
    private func source() throws -> (CardManager.WalletSource, Network?) {
        guard let from else { return (try ownSource(), nil) }
        let text = String(decoding: try InputFile.read(from, limit: WalletFile.maximumLength), as: UTF8.self)
        let asked = try options.network()
        let file: WalletFile
        do throws(WalletFile.Fault) { file = try WalletFile(parsing: text, network: asked) } catch {
            throw Failure(error, file: from)
        }
        return (try .parsing(file.descriptors), file.network)
    }

    private func ownSource() throws -> CardManager.WalletSource {
        if let bsms {
            let record = try BSMSDescriptorRecord(file: bsms, token: token, network: options.network())
            return try .parsing(record.descriptors)
        }
        if descriptors == ["-"] {
            let bytes = try InputFile.read("-", limit: Self.inputLimit)
            let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            return try .parsing(lines.map(String.init))
        }
        if !descriptors.isEmpty { return try .parsing(descriptors) }
        guard let threshold else { return .card(options.cardChoice) }
        return .cards(options.cardChoice, threshold: threshold, count: cards)
    }
}

extension CardManager.WalletSource {
    /// Whether cards are used.
    fileprivate var isCards: Bool { if case .descriptors = self { false } else { true } }
}
