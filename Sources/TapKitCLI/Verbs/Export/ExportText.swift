import Bitcoin
import TapManager

extension ExportSource {
    /// The wallet in a format that has no need of a card.
    /// - Parameter start: for Bitcoin Core; `nil`: before the wallet's first payment.
    /// - Throws: `ExportError`; `.unusualDescriptor` for formats that are of cards only.
    func text(_ format: ExportFormat, _ choice: ExportOptions, start: RescanStart?) throws(ExportError) -> String {
        switch format {
        case .descriptors: Self.lines(DescriptorExport.lines(of: self, isSplit: choice.split))
        case .core: CoreExport(self, start: start ?? RescanStart(birthHeight: birthHeight)).text
        case .sparrow: try SparrowExport(self).text
        case .electrum: try ElectrumExport(self).text
        case .specter: try SpecterExport(self).text
        case .coldcardMultisig: try ColdcardMultisigExport(self).text
        case .slip132: Self.lines(try keys())
        // A record has four lines and no end after the last: COLDCARD refuses a fifth, empty one.
        case .bsms: try BSMSDescriptorRecord(self).text
        case .coldcard, .cosigner: throw .unusualDescriptor(1)
        }
    }

    private func keys() throws(ExportError) -> [String] {
        let account = try account
        return account.keys.map { $0.key.text(account.slip132) }
    }

    private static func lines(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    /// What has to be said about how long Bitcoin Core will look.
    func rescanNote(_ start: RescanStart?) -> String? {
        guard start == nil else { return nil }
        guard case .time(let time) = RescanStart(birthHeight: birthHeight), time.seconds > 0 else {
            return "Core will look through the whole chain for payments; --birthday YYYY-MM-DD (or now) shortens that."
        }
        return "Core will look for payments since before block \(birthHeight ?? 0); --birthday names another day."
    }
}
