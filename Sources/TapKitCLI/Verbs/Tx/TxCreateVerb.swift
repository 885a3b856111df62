import ArgumentParser
import Bitcoin
import TapManager

/// `tapkit tx create`: builds a wallet's transaction and stores it.
struct TxCreateVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Build a wallet's transaction and store it, to be signed and sent.",
        discussion: """
            --to takes ADDRESS=AMOUNT or a bitcoin: link; amounts have their unit: 5000sat, 0.00005btc. Coins of stored \
            transactions are left alone: tapkit tx delete frees them. Without --coin the coins are chosen so that the \
            least is wasted; with it, these are spent and no others.

            With --drain everything goes to the one --to without an amount.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var fees: FeeOptions
    @OptionGroup var offline: OfflineOptions

    @Option(help: ArgumentHelp("The wallet that pays.", valueName: "name"), completion: .wallets)
    var wallet: String

    @Option(help: ArgumentHelp("Who is paid; repeatable.", valueName: "address=amount"))
    var to: [String]

    @Flag(help: "Spend everything; one --to has no amount and gets the rest.")
    var drain = false

    @Option(
        help: ArgumentHelp(
            "Spend this coin (TXID:INDEX), and none that is not named; repeatable.", valueName: "outpoint"))
    var coin: [String] = []

    @Flag(help: "Also spend what somebody else's unconfirmed transactions pay: it may be taken back.")
    var unconfirmed = false

    @Option(help: ArgumentHelp("What spending is thought to cost some day; default: 10.", valueName: "rate"))
    var longTermFeeRate: String?

    @Option(help: ArgumentHelp("Lock time; default: the last block, against fee sniping.", valueName: "number"))
    var lockTime: UInt32?

    @Option(help: ArgumentHelp("How inputs and outputs are ordered: random, bip69.", valueName: "order"))
    var order = Order.random

    @Option(help: ArgumentHelp("Version of the PSBT: 0, 2.", valueName: "number"))
    var psbtVersion: UInt32 = 0

    @Option(help: ArgumentHelp("What you want to be reminded of.", valueName: "text"))
    var note: String?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Also write the PSBT to this file.", valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var overwriting: OverwritingOption

    /// How inputs and outputs are ordered.
    enum Order: String, CaseIterable, ExpressibleByArgument {
        case random, bip69

        fileprivate var value: TransactionOrder { self == .random ? .random : .bip69 }
    }

    func run() async throws {
        try fees.check()
        let invocation = try Invocation(options, to: .reading, asksChain: !offline.offline)
        let wallet = try invocation.wallet(wallet)
        let target = output.map { SignedFile(copy: $0, overwriting: overwriting.force) }
        try target?.requireReplaceable { _ in false }
        try target?.checkWritable()
        let payments = try to.map { text throws(Failure) in
            try PaymentArgument(text, network: wallet.wallet.network)
        }
        var order = try self.order(payments)
        let manager = invocation.manager
        let chain = try await invocation.chain(of: wallet)
        order.feeRate = try await manager.feeRate(fees.choice(), on: wallet.wallet.network)
        await manager.closeChainConnections()
        let transaction = try await manager.prepare(order, from: wallet, chain)
        try target?.write(transaction.psbt)
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
                ? Failure(.usage, "With --drain one --to has no amount, and gets everything else.")
                : Failure(
                    .badAmount, "There is no amount for \(open.first?.address.description ?? "an address").",
                    hint: "As in --to ADDRESS=5000sat; --drain sends everything.")
        }
        var order = WalletOrder(
            payments: payments.compactMap { payment in
                payment.amount.map { Payment(to: payment.address.scriptPubKey, amount: $0) }
            }, drain: open.first?.address.scriptPubKey, feeRate: try fees.given() ?? .relay)
        if !coin.isEmpty { order.coins = Set(try coin.map { text throws(Failure) in try Self.outpoint(text) }) }
        if let longTermFeeRate { order.longTermFeeRate = try FeeRate(typed: longTermFeeRate) }
        guard let version = PSBT.Version(rawValue: psbtVersion) else {
            throw Failure(.usage, "--psbt-version is 0 or 2.")
        }
        order.version = version
        order.allowsUnconfirmed = unconfirmed
        order.lockTime = lockTime
        order.order = self.order.value
        order.note = note ?? payments.compactMap(\.label).joined(separator: "; ")
        return order
    }

    private static func outpoint(_ text: String) throws(Failure) -> Outpoint {
        guard let outpoint = Outpoint(parsing: text) else {
            throw Failure(.noSuchCoin, "“\(text)” is no coin: TXID:INDEX.", hint: "tapkit wallet show lists the coins.")
        }
        return outpoint
    }
}

extension TransactionID {
    /// So many characters of an id are enough to name the transaction.
    static let abbreviatedLength = 12

    /// Enough of the id to name the transaction.
    var abbreviated: String { String(description.prefix(Self.abbreviatedLength)) }
}
