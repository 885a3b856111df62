import Bitcoin
import TapProtocol

/// What to export, and how.
public struct ExportOrder: Sendable, Hashable {
    /// For which program.
    package let format: ExportFormat
    /// `.descriptors`: separate descriptors for addresses and change, for programs that do not know BIP-389.
    package var isSplit = false
    /// `.core`: from when on to scan for payments; `nil`: from before the first possible one.
    package var start: RescanStart?
    /// For a card: the kind of addresses; `nil`: the one that its path implies.
    package var kind: ScriptKind?
    /// For a card: the name that other programs show; `nil`: its product and the beginning of its ident.
    package var label: String?
    /// `.bsms`: the coordinator's secret.
    package var token = BSMSToken.none

    /// An order.
    /// - Parameters:
    ///   - format: for which program.
    ///   - kind: for a card, the kind of addresses; `nil`: the one that its path implies. Formats that go by the card's
    ///     path alone ignore it.
    public init(_ format: ExportFormat, kind: ScriptKind? = nil) {
        self.format = format
        self.kind = kind
    }

    /// The card's name for other programs.
    func label(of status: CardStatus) -> String {
        label ?? "\(status.product.displayName) \(status.ident.description.prefix(11))"
    }

    /// The kinds of addresses of an account.
    /// - Throws: `ExportError.cosignersPath` if one is needed, but the path is a cosigner's.
    func kinds(at path: DerivationPath) throws(ExportError) -> [ScriptKind] {
        if let kind { return [kind] }
        guard isKindGuessed(at: path) else { return DescriptorExport.kinds(of: path) }
        guard path.steps.first != MultisigKind.purpose else { throw .cosignersPath(path) }
        return [.p2wpkh]
    }

    /// Why the format cannot express a card's account at this path; `nil`: nothing prevents it.
    func obstacle(at path: DerivationPath, _ network: Network) -> ExportError? {
        do throws(ExportError) { _ = try kinds(at: path) } catch { return error }
        switch format {
        case .slip132: return kind == nil && SLIP132Form(accountPath: path) == nil ? .noKind(path) : nil
        case .coldcard: return ColdcardExport.obstacle(at: path, network)
        default: return nil
        }
    }

    /// Whether one kind of addresses is needed, but neither the path nor the user selects it.
    func isKindGuessed(at path: DerivationPath) -> Bool {
        format.needsOneKind && kind == nil && ScriptKind(accountPath: path) == nil
    }
}
