import Bitcoin

/// An account for Sparrow's "Output Descriptor" import: the text file that Sparrow itself writes. Sparrow skips lines
/// that begin with `#` and reads the first descriptor; the others are for programs without multipath support.
///
/// Source: Sparrow, "File > Import Wallet > Output Descriptor".
package struct SparrowExport: Sendable {
    private let multipath: String
    private let receive: String
    private let change: String

    /// An export of a wallet.
    /// - Throws: `ExportError`: Sparrow wallets have one account with one key, or with several in BIP-67's order.
    package init(_ source: ExportSource) throws(ExportError) {
        let account = try source.account
        multipath = account.descriptor("<0;1>/*")
        receive = account.descriptor("0/*")
        change = account.descriptor("1/*")
    }

    /// The file's complete text, with a newline at the end. Contains only public keys.
    package var text: String {
        """
        # Receive and change descriptor (BIP389):
        \(multipath)


        # Receive descriptor (Bitcoin Core):
        \(receive)

        # Change descriptor (Bitcoin Core):
        \(change)

        """
    }
}
