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
            the other make a multisig wallet, wsh(sortedmulti(…)).

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
        let network = try options.network()
        try requireFreeName()
        let (texts, isSimulated) = try await sources()
        if bsms != nil { try noteStrangers(texts) }
        let draft: WalletDraft
        do throws(WalletError) {
            draft = try WalletDraft(name: name, network: network, descriptors: texts)
        } catch { throw Failure(error) }
        let stored = draft.stored(at: .now())
        do { try options.store().add(stored) } catch {
            guard let error = error as? StoreError, case .walletExists = error else { throw error }
            throw Failure(WalletError.walletExists(name))
        }
        guard !options.isJSON else {
            var document = WalletDocument(draft.wallet, created: stored.created)
            document.simulated = isSimulated ? true : nil
            return JSONAnswer.write(document)
        }
        options.console.say("\(isSimulated ? "SIMULATED " : "")Wallet “\(name)” (\(draft.wallet.network)):")
        for descriptor in stored.descriptors { options.console.say("  \(descriptor)") }
        if let place = draft.wallet.receivingBranch?.place(0), let address = try? draft.wallet.address(at: place) {
            options.console.say("  First address: \(address)")
        }
        if texts.count == 1, threshold != nil {
            options.console.say("  Keep this descriptor: without it, not even all the cards together find the money.")
        }
    }

    /// A name that is taken is said before anybody lays down cards.
    private func requireFreeName() throws {
        guard let store = try options.existingStore() else { return }
        if try store.wallets().contains(where: { $0.name == name }) { throw Failure(WalletError.walletExists(name)) }
    }

    /// Says so when no key of a coordinator's record is one that this machine's cards are known to have: the first address
    /// proves that the record is whole, and not that you are in it. A fingerprint that is known is no proof either.
    private func noteStrangers(_ texts: [String]) throws(Failure) {
        let origins = texts.compactMap { try? Descriptor(parsing: $0) }.flatMap(\.keys).compactMap(
            \.origin?.fingerprint)
        let store = try options.existingStore()
        let cards: [CardRecord]
        do throws(StoreError) { cards = try store?.cards() ?? [] } catch { throw Failure(error) }
        let known = cards.compactMap(\.fingerprint)
        guard Set(origins).isDisjoint(with: known) else {
            return options.console.note(
                "A key has the fingerprint of a card that the local store knows, which anybody can copy: "
                    + "tapkit wallet receive NAME --verify asks the card itself.")
        }
        options.console.note(
            "WARNING: none of the keys is of a card that the local store knows. Make sure that yours is among them "
                + "(tapkit export cosigner) before anything is paid to this wallet.")
    }

    private func sources() async throws -> (texts: [String], isSimulated: Bool) {
        if let bsms { return (try BSMSFile.descriptors(bsms, token: token, network: try options.network()), false) }
        if descriptors == ["-"] {
            let bytes = try InputFile.read("-", limit: Self.inputLimit)
            let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            return (lines.map(String.init), false)
        }
        if !descriptors.isEmpty { return (descriptors, false) }
        let invocation = try Invocation(options)
        let (manager, choice, network) = (invocation.manager, invocation.choice, invocation.network)
        guard let threshold else {
            let found = try await invocation.during { try await manager.account(of: choice, network: network) }
            let account = found.account
            let kind = ScriptKind(accountPath: account.path) ?? .p2wpkh
            let origin = KeyOrigin(fingerprint: account.masterFingerprint, path: account.path)
            let text = AccountDescriptor(kind: kind, origin: origin, key: account.key).text
            return ([text], found.card.isSimulated || invocation.hasSeenSimulator)
        }
        let found = try await invocation.during {
            try await manager.accounts(
                of: choice, atLeast: max(threshold, cards ?? 0), atMost: cards, network: network)
        }
        guard let wallet = MultisigAccount(threshold: threshold, accounts: found.map(\.account)) else {
            throw Failure(.badDescriptor, "The cards do not make a wallet: two of them have the same key.")
        }
        return ([wallet.descriptor], found.contains(where: \.card.isSimulated) || invocation.hasSeenSimulator)
    }
}
