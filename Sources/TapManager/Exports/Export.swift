import Bitcoin

/// What was exported, and remarks about it.
public struct Export: Sendable {
    /// The file's whole content, UTF-8. It has only public keys, but whoever has them sees every payment of the wallet.
    public let text: String
    /// The wallet's descriptors, as in the format `.descriptors`.
    package let descriptors: [String]
    /// The card's account, proven; `nil` for a stored wallet.
    package var account: Account?
    /// What people should know before they use the file.
    public package(set) var remarks: [ExportRemark] = []

    init(text: String, of source: ExportSource, _ order: ExportOrder) {
        self.text = text
        descriptors = DescriptorExport.lines(of: source, isSplit: order.isSplit)
        if order.format == .core, order.start == nil { remarks = [source.rescanRemark] }
    }
}

/// Something unusual about an export, or something that may take time.
public enum ExportRemark: Sendable, Hashable {
    /// A cosigner's key is exported, but its path is not one for cosigners (BIP-48): some coordinators refuse it.
    case notForCosigners(DerivationPath)
    /// The path is a cosigner's, but the export is for this key alone.
    case cosignersPath(DerivationPath)
    /// Wallets do not look at this path (BIP-44, 49, 84); with the kind of addresses that was chosen if the path
    /// implies none.
    case unusualPath(DerivationPath, taken: ScriptKind?)
    /// The whole chain will be scanned for payments.
    case wholeChain
    /// Payments will be scanned for from before the block of this height.
    case sinceBlock(Int)
}
