import ArgumentParser
import Bitcoin
import ByteCodec
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
        let stored = try invocation.transaction(id)
        let network = stored.network(asked: invocation.network)
        let source = try options.requiredChainSource(for: network, to: "send the transaction")
        let transaction: Transaction
        do { transaction = try await invocation.manager.send(stored, to: source) } catch {
            throw Failure(unexpected: error)
        }
        await source.close()
        if options.isJSON {
            JSONAnswer.write(
                Answer(
                    id: stored.id.description, txid: transaction.id.description,
                    tx: Hex.encode(transaction.serialized()), state: TransactionState.sent.rawValue,
                    server: TerminalText.neutralized(source.name)))
        } else {
            options.console.say(transaction.id.description)
            options.console.note("Sent, says \(source.name).")
        }
    }
}
