import Bitcoin
import TapManager

/// The export of a wallet of the local store.
struct WalletExport {
    private let name: String
    private let format: ExportFormat
    private let choice: ExportOptions

    init(_ name: String, _ format: ExportFormat, _ choice: ExportOptions) {
        (self.name, self.format, self.choice) = (name, format, choice)
    }

    /// - Throws: `Failure`: what opening a wallet throws, `.notExportable`.
    func content(_ invocation: Invocation) throws -> ExportContent {
        let wallet = try invocation.wallet(name)
        let source = ExportSource(wallet.wallet, birthHeight: firstHeight(try invocation.manager.lastChain(of: wallet)))
        let start = try choice.start()
        let token = try choice.bsmsToken()
        var text: String
        do throws(ExportError) {
            text = try source.text(format, choice, start: start)
            if token != .none { text = token.sealed(try BSMSDescriptorRecord(source).text) }
        } catch { throw Failure(error, format: format) }
        var content = ExportContent(text: text)
        content.descriptors = DescriptorExport.lines(of: source, isSplit: choice.split)
        if format == .core, let note = source.rescanNote(start) { content.warnings.append(note) }
        return content
    }

    /// The height of the wallet's first transaction, as far as a server told.
    private func firstHeight(_ known: WalletChain?) -> Int? {
        guard let known, known.hasHistory else { return nil }
        return known.transactions.compactMap(\.height).min()
    }
}
