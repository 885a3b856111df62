import AnswerDocuments
import ArgumentParser
import TapManager

/// `tapkit tx bump`: replaces a transaction with one that pays a higher fee.
struct TxBumpVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bump", abstract: "Replace a transaction with one that pays a higher fee (BIP-125).",
        discussion: """
            The payments stay the same. The higher fee comes from the change or, if that is not enough, from \
            additional coins. The new transaction must be signed and sent; the old one stays in the store if a chain \
            server was given it, whatever the server answered.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var fees: FeeOptions
    @OptionGroup var offline: OfflineOptions

    @Argument(help: "The transaction's id, or the start of it.", completion: .transactions)
    var id: String

    func run() async throws {
        try fees.check()
        let invocation = try Invocation(options, to: .reading, asksChain: !offline.offline)
        let manager = invocation.manager
        let stored = try manager.transaction(named: id)
        let fee = try fees.choice()
        let bumped = try await invocation.during {
            try await manager.bump(stored, to: fee, network: invocation.network)
        }
        // The server may have reported it just now.
        let isKept = (try? manager.store.transaction(stored.id)) != nil
        let shown = manager.review(of: bumped, network: bumped.network)
        invocation.console.answer(
            StoredTransactionDocument(shown, replaces: stored.id),
            screen: StoredTransactionText(shown).screen(now: manager.now),
            remarks: [
                "It replaces \(stored.id.abbreviated)\(isKept ? "" : ", which was deleted"). "
                    + "Next: tapkit tx sign \(bumped.id.abbreviated)"
            ])
    }
}
