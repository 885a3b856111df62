import Bitcoin
import TapManager
import TapProtocol

/// The export of a card's account.
struct CardExport {
    private let format: ExportFormat
    private let choice: ExportOptions
    private let options: GlobalOptions

    init(_ format: ExportFormat, _ choice: ExportOptions, _ options: GlobalOptions) {
        self.format = format
        self.choice = choice
        self.options = options
    }

    /// Asks the card.
    /// - Throws: `Failure`: what reading an account throws, `.notExportable`.
    func content() async throws -> ExportContent {
        let card = try await UnlockedCard.open(options, task: "show an xpub")
        let network = try card.access.shownNetwork(options)
        let needsMasterKey = format == .coldcard
        let ((account, masterKey), cvc) = try await card.source.unlock(card.watched) {
            (cvc) async throws(FlowError) -> (Account, ExtendedPublicKey?) in
            let flow = AccountFlow(gate: card.gate, cvc: cvc)
            let account = try await flow.account()
            guard needsMasterKey else { return (account, nil) }
            return (account, try await flow.masterKey())
        }
        let proven = UnlockedCard(watched: card.watched, source: CVCSource(proven: cvc))
        options.remember(card.access.status, fingerprint: account.masterFingerprint)
        let status = card.access.status
        let source = try source(account, status, network)
        let text: String
        switch (format, masterKey) {
        case (.cosigner, _): text = AccountKey(account).description + "\n"
        case (.slip132, _): text = try slip132(account) + "\n"
        case (.bsms, _): text = try await keyRecord(of: account, on: proven, label: source.label, network)
        case (.coldcard, let masterKey?):
            do throws(ExportError) {
                text = try ColdcardExport(account, masterKey: masterKey, network: network).text
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
        content.isSimulated = card.isSimulated
        return content
    }

    private func source(
        _ account: Account, _ status: CardStatus, _ network: Network
    ) throws(Failure) -> ExportSource {
        let kinds = try kinds(account.path)
        let label = choice.label ?? "\(status.product.displayName) \(status.ident.description.prefix(11))"
        do throws(WalletError) {
            return try ExportSource(
                account, kinds: kinds, label: label, network: network, birthHeight: status.birthHeight)
        } catch { throw Failure(error) }
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

    /// The key, signed with it.
    private func keyRecord(
        of account: Account, on card: UnlockedCard, label: String, _ network: Network
    ) async throws -> String {
        let token = try choice.bsmsToken()
        let record: BSMSKeyRecord
        do throws(ExportError) {
            record = try BSMSKeyRecord(token: token, key: AccountKey(account), description: label)
        } catch { throw Failure(error, format: format) }
        let signed = try await card.unlock { (cvc) async throws(FlowError) in
            try await MessageFlow(gate: card.gate, cvc: cvc, network: network)
                .sign(Array(record.message.utf8), by: .path(DerivationPath(), .p2pkh), format: .bip137)
        }
        guard let text = record.text(signature: signed.signature) else {
            throw Failure(.badProof, "The card did not sign with the key that it told.")
        }
        return token.sealed(text)
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
