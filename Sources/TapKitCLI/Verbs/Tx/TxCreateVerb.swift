import AnswerDocuments
import ArgumentParser
import Bitcoin
import TapManager
import Terminal

/// `tapkit tx create`: builds a wallet's transaction and stores it.
struct TxCreateVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Build a wallet's transaction and store it for signing and sending.",
        discussion: """
            --to takes ADDRESS=AMOUNT or a bitcoin: link; amounts need a unit: 5000sat, 0.00005btc. Coins of stored \
            transactions are not used; tapkit tx delete frees them. Without --coin the coins are chosen to waste as \
            little as possible; with it, exactly these coins are spent.

            With --drain, the one --to without an amount gets everything else.

            If another stored payment to a payee may be on its way, or is signed in part so that others can complete \
            it, you have to accept that here, and again in tapkit tx sign: what you accept here is not stored.

            If a wallet has several spending paths, tapkit takes the cheapest one that is open now. A path for which \
            some coins are too young is taken only if every path has a lock. --path chooses another; tapkit wallet show \
            lists them.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var fees: FeeOptions
    @OptionGroup var offline: OfflineOptions

    @Option(help: ArgumentHelp("The wallet that pays.", valueName: "name"), completion: .wallets)
    var wallet: String

    @Option(help: ArgumentHelp("The payee; repeatable.", valueName: "address=amount"))
    var to: [String]

    @Flag(help: "Spend everything; one --to without an amount gets the rest.")
    var drain = false

    @Option(
        help: ArgumentHelp(
            "Spend this coin (TXID:INDEX), and only coins named this way; repeatable.", valueName: "outpoint"))
    var coin: [String] = []

    @Option(
        help: ArgumentHelp("Take this spending path, by its number in tapkit wallet show.", valueName: "number"))
    var path: Int?

    @Option(
        help: ArgumentHelp(
            "A preimage for a spending path that takes one: 32 bytes, or 64 hexadecimal digits; repeatable.",
            valueName: "file"), completion: .file())
    var preimage: [String] = []

    @Flag(help: "Also spend coins from others' unconfirmed transactions; they may be taken back.")
    var unconfirmed = false

    @Option(help: ArgumentHelp("The fee rate to expect in the long term; default: 10.", valueName: "rate"))
    var longTermFeeRate: String?

    @Option(help: ArgumentHelp("The lock time; default: the last block, against fee sniping.", valueName: "number"))
    var lockTime: UInt32?

    @Option(help: ArgumentHelp("The order of inputs and outputs: random or bip69.", valueName: "order"))
    var order = Order.random

    @Option(help: ArgumentHelp("The PSBT version: 0 or 2.", valueName: "number"))
    var psbtVersion: UInt32 = 0

    @Option(help: ArgumentHelp("A note to yourself.", valueName: "text"))
    var note: String?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Also write the PSBT to this file.", valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var overwriting: OverwritingOption

    /// The order of inputs and outputs.
    enum Order: String, CaseIterable, ExpressibleByArgument {
        case random, bip69

        fileprivate var value: TransactionOrder { self == .random ? .random : .bip69 }
    }

    func run() async throws {
        try fees.check()
        let invocation = try Invocation(options, to: .reading, asksChain: !offline.offline)
        let wallet = try invocation.wallet(wallet)
        let copy = output.map { PSBTFiles(copy: $0, overwriting: overwriting.force) }
        try copy?.checkWritable()
        let manager = invocation.manager
        // The file of an earlier payment may be replaced if the store has its contents as well.
        try copy?.output?.requireReplaceable(ifKept: manager.keeps(_:))
        // It is another payment's: it is replaced, not combined.
        let target = output.map { PSBTFiles(copy: $0, overwriting: true) }
        let payments = try to.map { text throws(Failure) in
            try PaymentArgument(text, network: wallet.wallet.network)
        }
        let order = try order(payments)
        let transaction = try await invocation.during { try await manager.prepare(order, from: wallet) }
        do {
            // Asked again: the server took its time.
            try copy?.output?.requireReplaceable(ifKept: manager.keeps(_:))
            try target?.output?.write(transaction.psbt)
        } catch { throw Failure(unexpected: error).advising(Self.exporting(transaction.id)) }
        let console = invocation.console
        let shown = manager.review(of: transaction, network: wallet.wallet.network)
        console.answer(
            StoredTransactionDocument(shown), screen: StoredTransactionText(shown).screen(now: manager.now),
            remarks: ["Stored. Next: tapkit tx sign \(transaction.id.abbreviated)"])
    }

    private func order(_ payments: [PaymentArgument]) throws(Failure) -> WalletOrder {
        let open = payments.filter { $0.amount == nil }
        guard open.count == (drain ? 1 : 0) else {
            throw drain
                ? Failure(.usage, "With --drain, exactly one --to must have no amount: it gets everything else.")
                : Failure(
                    .badAmount, "There is no amount for \(open.first?.address.description ?? "an address").",
                    hint: "For example --to ADDRESS=5000sat; to send everything, use --drain.")
        }
        var order = WalletOrder(
            payments: payments.compactMap { payment in
                payment.amount.map { Payment(to: payment.address.scriptPubKey, amount: $0) }
            }, drain: open.first?.address.scriptPubKey, fee: try fees.choice())
        if !coin.isEmpty { order.coins = Set(try coin.map { text throws(Failure) in try Self.outpoint(text) }) }
        if let longTermFeeRate { order.longTermFeeRate = try FeeRate(typed: longTermFeeRate) }
        guard let version = PSBT.Version(rawValue: psbtVersion) else {
            throw Failure(.usage, "--psbt-version takes 0 or 2.")
        }
        order.version = version
        order.allowsUnconfirmed = unconfirmed
        order.lockTime = lockTime
        order.path = path
        order.preimages = try preimage.map { file throws(Failure) in try PreimageFile.read(file) }
        order.order = self.order.value
        order.note = note ?? payments.compactMap(\.label).joined(separator: "; ")
        return order
    }

    /// What to do about a file that could not be written: the transaction is stored, and its coins are taken.
    private static func exporting(_ id: TransactionID) -> String {
        "The transaction is stored as \(id.abbreviated): write its file with tapkit tx export \(id.abbreviated) -o FILE, "
            + "or free its coins with tapkit tx delete \(id.abbreviated)."
    }

    private static func outpoint(_ text: String) throws(Failure) -> Outpoint {
        guard let outpoint = Outpoint(parsing: text) else {
            throw Failure(
                .noSuchCoin, "“\(text)” is not a valid coin: use TXID:INDEX.",
                hint: "List the coins with tapkit wallet show.")
        }
        return outpoint
    }
}

extension TransactionID {
    /// Enough of the id to name the transaction: 12 characters.
    var abbreviated: String { String(description.prefix(12)) }
}
