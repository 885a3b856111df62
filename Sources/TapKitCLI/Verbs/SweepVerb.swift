import ArgumentParser
import Bitcoin
import ChainData
import TapManager
import TapProtocol

/// `tapkit sweep`: takes everything out of a SATSCARD's slots, signed by the card.
struct SweepVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep", abstract: "SATSCARD: send what lies in its slots to an address, signed by the card.",
        discussion: """
            Without --slot: from all opened slots; --all: from the sealed one, too, which is opened for good. That comes \
            last: before it, the coins, the fee and the address are checked, and you are asked.

            The transaction is kept in the local store; --broadcast sends it at once, tapkit tx broadcast later. \
            Interrupted, run the same command again.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var fees: FeeOptions

    @Option(
        help: ArgumentHelp(
            "Where everything goes: an address, or a bitcoin: link without an amount.", valueName: "address"))
    var to: String

    @Option(help: ArgumentHelp("Only this slot, counted from 1; if it is sealed, it is opened.", valueName: "number"))
    var slot: Int?

    @Flag(help: "Every slot, the sealed one included.")
    var all = false

    @Flag(help: "Also take what is unconfirmed: whoever paid it may still take it back.")
    var unconfirmed = false

    @Flag(help: "Send the transaction at once.")
    var broadcast = false

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Also write the signed PSBT to this file.", valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var picture: QRTransferOptions

    func run() async throws {
        try fees.check()
        let transfer = try picture.transfer()
        guard slot == nil || !all else { throw Failure(.usage, "--slot and --all exclude each other.") }
        let number = try slot.map { number throws(Failure) in try SlotArgument.parse(number) }
        let givenCVC = try options.cvcOptions.fromFile()
        let access = try await CardAtHand.open(options)
        guard access.status.product == .satscard else {
            throw Failure(FlowError.wrongProduct(access.status.product, task: "sweep its slots"))
        }
        let network = try access.shownNetwork(options)
        let destination = try destination(on: network)
        let card = WatchedCard(access, options, try options.manager())
        let reports = try await card.progress.during { () throws(FlowError) in
            try await SlotsFlow(gate: card.gate, cvc: nil).all()
        }
        let choice = try SweepChoice(reports, named: number, takesSealed: all, network: network)
        try choice.requireSafe(destination)
        let source = try options.requiredChainSource(for: network, to: "find what lies in the slots")
        let found = try await choice.coins(from: source, allowsUnconfirmed: unconfirmed)
        for note in found.notes { options.console.note(note) }
        let planning = SweepPlanning(options: options, fees: fees, source: source, store: card.manager.store)
        let planned = try await planning.plan(found, to: destination)
        try await SweepRound(options: options, card: card, copy: output, transfer: transfer).run(
            planned, opening: choice.sealed.flatMap { planned.plan.slots.contains($0.slot) ? $0 : nil }, cvc: givenCVC,
            sendingTo: broadcast ? source : nil)
        await source.close()
    }

    private func destination(on network: Network) throws(Failure) -> Address {
        let payment = try PaymentArgument(to, network: network)
        guard payment.amount == nil else {
            throw Failure(.usage, "A sweep sends everything: --to has an address, and no amount.")
        }
        return payment.address
    }
}
