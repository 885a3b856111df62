import ArgumentParser
import Bitcoin
import ChainData
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
        let manager = try options.manager()
        let stored = try TransactionArgument.transaction(id, in: manager.store)
        let (transaction, wallet) =
            stored.wallet == nil ? (try await sweep(stored, manager), nil) : try await ofWallet(stored, manager)
        let shown = StoredTransactionReview(transaction, network: transaction.network, wallet: wallet)
        guard !options.isJSON else {
            return JSONAnswer.write(StoredTransactionDocument(shown, replaces: stored.id))
        }
        for line in shown.lines(now: manager.now) { options.console.say(line) }
        options.console.note(
            "It replaces \(stored.id.abbreviated)\(stored.sent == nil ? ", which is deleted" : ""). "
                + "Next: tapkit tx sign \(transaction.id.abbreviated)")
    }

    private func ofWallet(
        _ stored: StoredTransaction, _ manager: CardManager
    ) async throws -> (StoredTransaction, WatchWallet?) {
        let desk = try WalletDesk.open(stored.wallet ?? "", options)
        let source = try offline.offline ? nil : options.chainSource(for: desk.wallet.network)
        let chain = try await desk.chain(offline, on: source)
        let rate = try await fees.rate(from: source, by: manager)
        await source?.close()
        var generator = SystemRandomNumberGenerator()
        do throws(CreationError) {
            return (try manager.bump(stored, to: rate, from: desk.wallet, chain, using: &generator), desk.wallet)
        } catch { throw Failure(error) }
    }

    private func sweep(_ stored: StoredTransaction, _ manager: CardManager) async throws -> StoredTransaction {
        let network = try options.network() ?? stored.network ?? .main
        let source = try offline.offline ? nil : options.chainSource(for: network)
        guard stored.isSweep else { throw Failure(CreationError.changeUnknown) }
        let rate = try await fees.rate(from: source, by: manager)
        await source?.close()
        var generator = SystemRandomNumberGenerator()
        do throws(CreationError) {
            return try manager.bumpSweep(stored, to: rate, using: &generator)
        } catch { throw Failure(error) }
    }
}
