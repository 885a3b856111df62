import Bitcoin
import TapManager
import TapProtocol

/// The export of a card's account.
struct CardExport {
    private let format: ExportFormat
    private let choice: ExportOptions

    init(_ format: ExportFormat, _ choice: ExportOptions) { (self.format, self.choice) = (format, choice) }

    /// Asks the card.
    /// - Throws: `Failure`: what reading an account throws, `.notExportable`.
    func content(_ invocation: Invocation) async throws -> ExportContent {
        let card = try await invocation.card()
        let status = card.status
        let network = try card.network(asked: invocation.network)
        let (found, record) = try await invocation.during { try await read(card, by: invocation.manager) }
        let account = found.account
        let source = try source(account, status, network)
        let text: String
        switch (format, record) {
        case (.cosigner, _): text = AccountKey(account).description + "\n"
        case (.slip132, _): text = try slip132(account) + "\n"
        case (.bsms, let record?): text = record
        case (.coldcard, _):
            do throws(ExportError) {
                text = try ColdcardExport(account, masterKey: found.masterKey, network: network).text
            } catch { throw Failure(error, format: format) }
        default:
            let start = try choice.start()
            do throws(ExportError) { text = try source.text(format, choice, start: start) } catch {
                throw Failure(error, format: format)
            }
        }
        var content = ExportContent(text: text)
        content.descriptors = DescriptorExport.lines(of: source, isSplit: choice.split)
        content.account = account
        content.warnings = warnings(account.path)
        if format == .core, let note = source.rescanNote(try choice.start()) { content.warnings.append(note) }
        content.isSimulated = invocation.isSimulated(card)
        return content
    }

    /// The account, with the signed record where that is what is exported.
    private func read(
        _ card: CardAtHand, by manager: CardManager
    ) async throws -> (account: CardAccount, record: String?) {
        guard format == .bsms else { return (try await manager.account(of: card), nil) }
        let token = try choice.bsmsToken()
        do {
            let (account, record) = try await manager.keyRecord(of: card, token: token, description: label(card.status))
            return (account, record)
        } catch let error as ExportError { throw Failure(error, format: format) }
    }

    /// What the export calls the key.
    private func label(_ status: CardStatus) -> String {
        choice.label ?? "\(status.product.displayName) \(status.ident.description.prefix(11))"
    }

    private func source(
        _ account: Account, _ status: CardStatus, _ network: Network
    ) throws -> ExportSource {
        try ExportSource(
            account, kinds: kinds(account.path), label: label(status), network: network,
            birthHeight: status.birthHeight)
    }

    /// The kinds of addresses of the account.
    private func kinds(_ path: DerivationPath) throws(Failure) -> [ScriptKind] {
        if let addressType = choice.addressType { return [addressType.kind] }
        guard format.needsOneKind, ScriptKind(accountPath: path) == nil else { return DescriptorExport.kinds(of: path) }
        guard path.steps.first == MultisigKind.purpose else { return [.p2wpkh] }
        throw Failure(
            .notExportable,
            "The card is at \(path), a cosigner's path, and has no wallet of its own there for \(format.rawValue).",
            hint:
                "tapkit export cosigner tells its key to a multisig wallet; --address-type exports a wallet all the same."
        )
    }

    private func slip132(_ account: Account) throws(Failure) -> String {
        if let addressType = choice.addressType { return account.key.text(SLIP132Form(addressType.kind)) }
        guard let form = SLIP132Form(accountPath: account.path) else {
            throw Failure(
                .notExportable, "The path \(account.path) stands for no type of address, which SLIP-132 keys name.",
                hint: "Name one with --address-type; tapkit xpub shows the key as BIP-32 has it.")
        }
        return account.key.text(form)
    }

    /// What is odd about the path.
    private func warnings(_ path: DerivationPath) -> [String] {
        if format == .cosigner || format == .bsms {
            guard MultisigKind(accountPath: path) == nil else { return [] }
            return [
                "\(path) is not a cosigner's usual path, m/48h/0h/0h/2h: some coordinators refuse it. tapkit derive moves the card."
            ]
        }
        // They say of themselves what the path is.
        guard format != .coldcard, format != .slip132 else { return [] }
        if path.steps.first == MultisigKind.purpose {
            return [
                "\(path) is a cosigner's path, and this tells wallets of this key alone: tapkit export cosigner is for a multisig wallet."
            ]
        }
        let isUsual = ScriptKind(accountPath: path) != nil && path.steps.count == 3
        guard !isUsual else { return [] }
        var text =
            "\(path) is no account's usual path (BIP-44, 49, 84): keep this export, other wallets do not look there."
        if format.needsOneKind, choice.addressType == nil, ScriptKind(accountPath: path) == nil {
            text += " It stands for no type of address; P2WPKH was taken, --address-type names another."
        }
        return [text]
    }
}
