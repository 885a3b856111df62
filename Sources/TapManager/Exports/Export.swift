import Bitcoin

/// What was exported, and what is to be said of it.
package struct Export: Sendable {
    /// The file itself. Holds public keys alone.
    package let text: String
    /// The wallet's descriptors, as the format `.descriptors` has them.
    package let descriptors: [String]
    /// The card's account, proven; `nil` for a wallet of the store.
    package var account: Account?
    /// What people should know before they use the file.
    package var remarks: [ExportRemark] = []

    init(text: String, of source: ExportSource, _ order: ExportOrder) {
        self.text = text
        descriptors = DescriptorExport.lines(of: source, isSplit: order.isSplit)
        if order.format == .core, order.start == nil { remarks = [source.rescanRemark] }
    }
}

/// What is odd about an export, or may cost time.
package enum ExportRemark: Sendable, Hashable {
    /// A cosigner's key is told, and its path is none that cosigners use (BIP-48): some coordinators refuse it.
    case notForCosigners(DerivationPath)
    /// The path is a cosigner's, and wallets are told of this key alone.
    case cosignersPath(DerivationPath)
    /// Wallets do not look at this path (BIP-44, 49, 84); with the kind of addresses that was taken where it stands for none.
    case unusualPath(DerivationPath, taken: ScriptKind?)
    /// The whole chain will be looked through for payments.
    case wholeChain
    /// Payments are looked for since before the block of this height.
    case sinceBlock(Int)
}
