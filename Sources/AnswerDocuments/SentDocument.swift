import Bitcoin
import TapManager
import TextLayout

/// A stored transaction that a chain server has accepted.
package struct SentDocument: Encodable {
    let id: String
    let txid: String
    let tx: String
    let state: String
    let server: String

    /// - Parameters:
    ///   - transaction: the signed one, as it was sent.
    ///   - server: the chain server's name.
    package init(_ stored: StoredTransaction, _ transaction: Transaction, to server: String) {
        id = stored.id.description
        txid = transaction.id.description
        tx = transaction.hexText
        state = TransactionState.sent.rawValue
        self.server = TerminalText.neutralized(server)
    }
}
