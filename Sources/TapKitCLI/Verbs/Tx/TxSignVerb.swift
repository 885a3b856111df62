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
        let transaction = try Invocation(options, to: .reading).manager.transaction(named: id)
        if transaction.isSweep, try await signSweep(transaction, transfer) { return }
        let job = SigningJob(
            options.console, .stored(transaction, copy: output), isExtracting: rules.extract,
            isFinalizing: !rules.noFinalize,
            transfer: transfer)
        try await job.sign(Invocation(options), policy: rules.policy)
    }

    /// Signs a stored sweep with the SATSCARD whose slots it empties.
    /// - Returns: false when another kind of card lies there.
    private func signSweep(_ transaction: StoredTransaction, _ transfer: QRTransfer?) async throws -> Bool {
        let invocation = try Invocation(options)
        let card = try await invocation.card()
        guard card.status.product == .satscard else { return false }
        try SigningTarget.stored(transaction, copy: output).checkWritable()
        let report = try await invocation.during {
            try await invocation.manager.signSweep(transaction, on: card, network: invocation.network)
        }
        try SigningJob.finish(report, of: card, invocation, copy: output, transfer: transfer)
        return true
    }
}
