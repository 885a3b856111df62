import AnswerDocuments
import ArgumentParser
import Bitcoin
import TapManager

/// `tapkit tx broadcast`: sends a stored transaction.
struct TxBroadcastVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broadcast", abstract: "Send a signed transaction to the network.",
        discussion: """
            Its signatures are verified first. On a terminal, tapkit shows what it pays and asks; without one, it \
            sends the transaction without asking. If none of your cards signed it, findings that can lose money \
            must be accepted: by typing the code shown, or with --accept. A second payment to somebody must be \
            accepted, too, if your cards signed this one with another store, or if the other one was sent or signed in \
            part after this one was built. The transaction stays in the store as sent, so that one with a higher fee \
            can replace it (tapkit tx bump). The wallet's next synchronization, or tapkit tx show if it belongs to no \
            wallet, finds out whether it was confirmed.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The transaction's id, or the start of it.", completion: .transactions)
    var id: String

    func run() async throws {
        let invocation = try Invocation(options, to: .reading, asksChain: true)
        let manager = invocation.manager
        let stored = try manager.transaction(named: id)
        try manager.requireSendable(stored)
        let network = stored.network(asked: invocation.network)
        let server = try manager.requireChainServer(for: .send, on: network)
        let transaction = try await manager.send(stored, network: network)
        invocation.console.answer(
            SentDocument(stored, transaction, to: server), [transaction.id.description],
            remarks: ["Sent, according to \(server)."])
    }
}
