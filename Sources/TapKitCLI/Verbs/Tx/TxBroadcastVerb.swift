import ArgumentParser
import Bitcoin
import ChainData
import TapManager

/// `tapkit tx broadcast`: sends a stored transaction.
struct TxBroadcastVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broadcast", abstract: "Send a signed transaction to the network.",
        discussion: """
            Its signatures are verified first. It stays in the store as sent, so that it can be replaced by one that pays \
            more (tapkit tx bump), until the wallet's next synchronization finds it deep in the chain.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The transaction's id, or the beginning of it.")
    var id: String

    private struct Answer: Encodable {
        let id: String
        let txid: String
        let tx: String
        let state: String
        let server: String
    }

    func run() async throws {
        let invocation = try Invocation(options, to: .reading)
        let stored = try invocation.manager.transaction(named: id)
        let network = stored.network(asked: invocation.network)
        let source = try options.requiredChainSource(for: network, to: "send the transaction")
        let transaction = try await invocation.manager.send(stored, to: source)
        await source.close()
        invocation.console.answer(
            Answer(
                id: stored.id.description, txid: transaction.id.description, tx: transaction.hexText,
                state: TransactionState.sent.rawValue, server: TerminalText.neutralized(source.name)),
            [transaction.id.description], remarks: ["Sent, says \(source.name)."])
    }
}
