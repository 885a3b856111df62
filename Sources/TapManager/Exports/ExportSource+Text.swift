import Bitcoin

extension ExportSource {
    /// The wallet in a format that needs no card.
    /// - Throws: `ExportError`; `.cardsOnly` for formats of a card's key.
    func text(_ order: ExportOrder) throws(ExportError) -> String {
        switch order.format {
        case .descriptors: Self.lines(DescriptorExport.lines(of: self, isSplit: order.isSplit))
        case .core: CoreExport(self, start: order.start ?? RescanStart(birthHeight: birthHeight)).text
        case .sparrow: try SparrowExport(self).text
        case .electrum: try ElectrumExport(self).text
        case .specter: try SpecterExport(self).text
        case .coldcardMultisig: try ColdcardMultisigExport(self).text
        case .slip132: Self.lines(try keys())
        // A record has four lines and no newline at the end: COLDCARD refuses a fifth, empty one.
        case .bsms: order.token.sealed(try BSMSDescriptorRecord(self).text)
        case .liana: try LianaExport(self).text
        case .coldcard, .cosigner: throw .cardsOnly
        }
    }

    private func keys() throws(ExportError) -> [String] {
        let account = try account
        return account.keys.map { $0.key.text(account.slip132) }
    }

    private static func lines(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    /// How far back Bitcoin Core will scan by default.
    var rescanRemark: ExportRemark {
        guard let birthHeight, case .time(let time) = RescanStart(birthHeight: birthHeight), time.seconds > 0 else {
            return .wholeChain
        }
        return .sinceBlock(birthHeight)
    }
}
