import ArgumentParser
import Bitcoin
import TapManager

/// `tapkit tx bump`: replaces a transaction by one that pays a higher fee.
struct TxBumpVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bump", abstract: "Replace a transaction by one that pays a higher fee (BIP-125).",
        discussion: """
            The same payments, out of the change or, when that does not suffice, with further coins. The new transaction \
            must be signed and sent; the old one stays in the store if it was sent.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var fees: FeeOptions
    @OptionGroup var offline: OfflineOptions

    @Argument(help: "The transaction's id, or the beginning of it.")
    var id: String

    func run() async throws {
        try fees.check()
        let invocation = try Invocation(options, to: .reading, asksChain: !offline.offline)
        let stored = try invocation.manager.transaction(named: id)
        let (transaction, wallet) =
            try await stored.wallet == nil ? (sweep(stored, invocation), nil) : ofWallet(stored, invocation)
        let shown = StoredTransactionReview(transaction, network: transaction.network, wallet: wallet)
        invocation.console.answer(
            StoredTransactionDocument(shown, replaces: stored.id),
            StoredTransactionText(shown).lines(now: invocation.manager.now),
            remarks: [
                "It replaces \(stored.id.abbreviated)\(stored.sent == nil ? ", which is deleted" : ""). "
                    + "Next: tapkit tx sign \(transaction.id.abbreviated)"
            ])
    }

    private func ofWallet(
        _ stored: StoredTransaction, _ invocation: Invocation
    ) async throws -> (StoredTransaction, WatchWallet?) {
        let wallet = try invocation.wallet(stored.wallet ?? "")
        let chain = try await invocation.chain(of: wallet)
        let rate = try await rate(on: wallet.wallet.network, invocation.manager)
        var generator = SystemRandomNumberGenerator()
        let bumped = try invocation.manager.bump(stored, to: rate, from: wallet, chain, using: &generator)
        return (bumped, wallet.wallet)
    }

    private func sweep(_ stored: StoredTransaction, _ invocation: Invocation) async throws -> StoredTransaction {
        guard stored.isSweep else { throw CreationError.changeUnknown }
        let rate = try await rate(on: invocation.network ?? stored.network ?? .main, invocation.manager)
        var generator = SystemRandomNumberGenerator()
        return try invocation.manager.bumpSweep(stored, to: rate, using: &generator)
    }

    /// What the new one pays.
    private func rate(on network: Network, _ manager: CardManager) async throws -> FeeRate {
        let rate = try await manager.feeRate(fees.choice(), on: network)
        await manager.closeChainConnections()
        return rate
    }
}
