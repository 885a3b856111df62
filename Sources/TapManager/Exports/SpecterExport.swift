import Bitcoin
import ByteCodec

/// An account for Specter's "import from wallet software".
///
/// Source: Specter Desktop's wallet file, `label`, `blockheight`, `descriptor`, `devices`; Sparrow reads it, too.
package struct SpecterExport: Sendable {
    private let source: ExportSource
    private let account: ExportAccount

    /// An export of a wallet.
    /// - Throws: `ExportError`: Specter wallets have one account with one key, or with several in BIP-67's order.
    package init(_ source: ExportSource) throws(ExportError) {
        self.source = source
        account = try source.account
    }

    /// The file. Its descriptor is for receive addresses; Specter derives the one for change from it.
    package var text: String {
        let devices = account.keys.enumerated().map { number, key in
            let name = account.keys.count == 1 ? source.label : "\(source.label) \(number + 1)"
            return JSONText.object([("type", .string("other")), ("label", .string(name))])
        }
        return JSONText.object([
            ("label", .string(source.label)), ("blockheight", .number(source.birthHeight ?? 0)),
            ("descriptor", .string(account.descriptor("0/*"))), ("devices", .array(devices)),
        ]).lines
    }
}
