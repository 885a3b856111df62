import Bitcoin
import TapProtocol

extension Export {
    /// A card's account.
    /// - Parameters:
    ///   - network: the addresses' network.
    ///   - record: the account's key, signed with it; `nil` unless that is what is exported.
    /// - Throws: `ExportError`; `WalletError` only for keys from which no address can be derived (probability below
    ///   2⁻¹²⁷).
    init(_ found: CardAccount, _ order: ExportOrder, network: Network, record: String?) throws {
        let (account, status) = (found.account, found.card.status)
        let source = try ExportSource(
            account, kinds: order.kinds(at: account.path), label: order.label(of: status), network: network,
            birthHeight: status.birthHeight)
        let text =
            switch (order.format, record) {
            case (.cosigner, _): AccountKey(account).description + "\n"
            case (.slip132, _): try order.slip132(account) + "\n"
            case (.bsms, let record?): record
            case (.coldcard, _):
                try ColdcardExport(account, masterKey: found.masterKey, network: network).text
            default: try source.text(order)
            }
        self.init(text: text, of: source, order)
        self.account = account
        remarks = order.remarks(at: account.path) + remarks
    }
}

extension ExportOrder {
    /// - Throws: `ExportError.noKind`.
    fileprivate func slip132(_ account: Account) throws(ExportError) -> String {
        guard let form = kind.map({ SLIP132Form($0) }) ?? SLIP132Form(accountPath: account.path) else {
            throw .noKind(account.path)
        }
        return account.key.text(form)
    }

    /// What is unusual about a card's path.
    fileprivate func remarks(at path: DerivationPath) -> [ExportRemark] {
        switch format {
        case .cosigner, .bsms: return MultisigKind(accountPath: path) == nil ? [.notForCosigners(path)] : []
        // They state the path themselves.
        case .coldcard, .slip132: return []
        default: break
        }
        guard !MultisigAccount.isForCosigners(path) else { return [.cosignersPath(path)] }
        guard ScriptKind(accountPath: path) == nil || path.steps.count != 3 else { return [] }
        return [.unusualPath(path, taken: isKindGuessed(at: path) ? .p2wpkh : nil)]
    }
}
