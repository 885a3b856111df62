import ArgumentParser
import TapManager
import TapProtocol

/// `tapkit tx sign`: signs a stored transaction with the cards that can help.
struct TxSignVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a stored transaction with the card.",
        discussion: "Does what tapkit sign does. The signatures stay in the local store.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The transaction's id, or the beginning of it.")
    var id: String

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Where the signed PSBT goes beside the store; - for standard output.", valueName: "out"))
    var output: String?

    @OptionGroup var rules: SigningRules
    @OptionGroup var picture: QRTransferOptions

    func run() async throws {
        let transfer = try picture.transfer()
        let transaction = try Invocation(options, to: .reading).transaction(id)
        let manager = try options.manager()
        if transaction.isSweep, try await signSweep(transaction, manager, transfer) { return }
        let desk = SigningDesk(
            options, .stored(transaction, copy: output), isExtracting: rules.extract, isFinalizing: !rules.noFinalize,
            transfer: transfer)
        try await desk.sign(policy: rules.policy)
    }

    /// Signs a stored sweep with the SATSCARD whose slots it empties.
    /// - Returns: false when another kind of card lies there.
    private func signSweep(
        _ transaction: StoredTransaction, _ manager: CardManager, _ transfer: QRTransfer?
    ) async throws -> Bool {
        let givenCVC = try options.cvcOptions.fromFile()
        let access = try await CardAtHand.open(options)
        guard access.status.product == .satscard else { return false }
        let card = WatchedCard(access, options, manager)
        let reports = try await card.progress.during { () throws(FlowError) in
            try await SlotsFlow(gate: card.gate, cvc: nil).all()
        }
        let network = try access.shownNetwork(options)
        let sources = reports.filter { $0.state == .unsealed }.compactMap { report in
            report.address.map { SweepPlan.Source(slot: report.slot, address: $0, coins: []) }
        }
        let plan: SweepPlan
        do throws(CreationError) {
            plan = try SweepPlan(resuming: transaction.psbt, sources, network: network)
        } catch {
            guard case .notSpendable = error else { throw Failure(error) }
            throw Failure(.nothingToSign, "The transaction spends something else than this card's opened slots.")
        }
        try await SweepRound(options: options, card: card, copy: output, transfer: transfer).run(
            SweepPlanning.Planned(plan: plan, new: nil), opening: nil, cvc: givenCVC, sendingTo: nil)
        return true
    }
}
