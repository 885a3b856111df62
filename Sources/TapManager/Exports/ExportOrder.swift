import Bitcoin
import TapProtocol

/// What is to be exported, and how.
package struct ExportOrder: Sendable, Hashable {
    /// For which program.
    package let format: ExportFormat
    /// `.descriptors`: addresses and change in a descriptor each, for programs that do not know BIP-389.
    package var isSplit = false
    /// `.core`: from when on payments are looked for; `nil`: from before the first one that there can have been.
    package var start: RescanStart?
    /// Of a card: the kind of addresses; `nil`: what its path stands for.
    package var kind: ScriptKind?
    /// Of a card: what other programs shall call it; `nil`: its product and the beginning of its ident.
    package var label: String?
    /// `.bsms`: the coordinator's secret.
    package var token = BSMSToken.none

    /// An order with nothing chosen.
    package init(_ format: ExportFormat) { self.format = format }

    /// What a card is called.
    func label(of status: CardStatus) -> String {
        label ?? "\(status.product.displayName) \(status.ident.description.prefix(11))"
    }

    /// The kinds of addresses of an account.
    /// - Throws: `ExportError.cosignersPath` where one is needed, and the path is that of a key among others.
    func kinds(at path: DerivationPath) throws(ExportError) -> [ScriptKind] {
        if let kind { return [kind] }
        guard isKindGuessed(at: path) else { return DescriptorExport.kinds(of: path) }
        guard path.steps.first != MultisigKind.purpose else { throw .cosignersPath(path) }
        return [.p2wpkh]
    }

    /// Why the format cannot tell a card's account at this path; `nil`: nothing is in the way.
    func obstacle(at path: DerivationPath, _ network: Network) -> ExportError? {
        do throws(ExportError) { _ = try kinds(at: path) } catch { return error }
        switch format {
        case .slip132: return kind == nil && SLIP132Form(accountPath: path) == nil ? .noKind(path) : nil
        case .coldcard: return ColdcardExport.obstacle(at: path, network)
        default: return nil
        }
    }

    /// Whether one kind of addresses is needed, and neither the path nor anybody says which.
    func isKindGuessed(at path: DerivationPath) -> Bool {
        format.needsOneKind && kind == nil && ScriptKind(accountPath: path) == nil
    }
}
