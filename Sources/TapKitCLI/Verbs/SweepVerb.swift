import ArgumentParser
import Bitcoin
import TapManager
import TapProtocol

/// `tapkit sweep`: sends everything in a SATSCARD's slots to an address, signed by the card.
struct SweepVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep", abstract: "Send everything in a SATSCARD's slots to an address, signed by the card.",
        discussion: """
            By default it sweeps all unsealed slots. --all includes the sealed one, which is then permanently \
            unsealed. That happens last, after the coins, the fee and the address have been checked and you have agreed.

            The transaction is kept in the local store; --broadcast sends it at once, tapkit tx broadcast later. If \
            the sweep is interrupted, run the same command again.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var fees: FeeOptions

    @Option(
        help: ArgumentHelp(
            "The destination: an address, or a bitcoin: link without an amount.", valueName: "address"))
    var to: String

    @Option(
        help: ArgumentHelp(
            "Only this slot, numbered from 1; if it is sealed, it is permanently unsealed.", valueName: "number"))
    var slot: Int?

    @Flag(help: "Every slot, including the sealed one.")
    var all = false

    @Flag(help: "Also sweep unconfirmed coins: the sender may still take them back.")
    var unconfirmed = false

    @Flag(help: "Send the transaction at once.")
    var broadcast = false

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Also write the signed PSBT to this file.", valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var overwriting: OverwritingOption
    @OptionGroup var picture: QRTransferOptions

    func run() async throws {
        try fees.check()
        let transfer = try picture.transfer()
        let slots = try self.slots()
        let copy = output.map { PSBTFiles(copy: $0, overwriting: overwriting.force) }
        try copy?.checkWritable()
        let invocation = try Invocation(options, asksChain: true)
        // A file from an earlier run may be replaced if the store has its contents as well.
        try copy?.output?.requireReplaceable(ifKept: invocation.manager.keeps(sweep:))
        // What the file has then may belong to another sweep: it is replaced, not combined.
        let checked = output.map { PSBTFiles(copy: $0, overwriting: true) }
        let card = try await invocation.card()
        let network = try card.network(asked: invocation.network)
        let order = SweepOrder(
            slots, to: try destination(on: network), fee: try fees.choice(), takesUnconfirmed: unconfirmed,
            isSent: broadcast)
        var generator = SystemRandomNumberGenerator()
        let report = try await invocation.during {
            try await invocation.manager.sweep(card, order, using: &generator)
        }
        try SigningJob.finish(report, invocation, copy: checked, transfer: transfer)
    }

    private func slots() throws(Failure) -> SweepOrder.Slots {
        guard let slot else { return all ? .all : .opened }
        guard !all else { throw Failure(.usage, "--slot and --all cannot be used together.") }
        return .one(try SlotArgument.parse(slot))
    }

    private func destination(on network: Network) throws(Failure) -> Address {
        let payment = try PaymentArgument(to, network: network)
        guard payment.amount == nil else {
            throw Failure(.usage, "A sweep sends everything: --to takes an address without an amount.")
        }
        return payment.address
    }
}
