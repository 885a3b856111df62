import ArgumentParser
import TapManager

/// `tapkit tx sign`: signs a stored transaction with the cards that can sign it.
struct TxSignVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a stored transaction with the card.",
        discussion: "Works like tapkit sign. The signatures are kept in the local store.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The transaction's id, or the start of it.", completion: .transactions)
    var id: String

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Also write the signed PSBT to this file; - for standard output.", valueName: "out"))
    var output: String?

    @OptionGroup var overwriting: OverwritingOption
    @OptionGroup var rules: SigningRules
    @OptionGroup var picture: QRTransferOptions

    func run() async throws {
        let transfer = try picture.transfer()
        let policy = try rules.policy()
        let invocation = try Invocation(options, to: .resuming)
        let transaction = try invocation.manager.transaction(named: id)
        try invocation.manager.requireOpen(transaction)
        let copy = output.map { PSBTFiles(copy: $0, overwriting: overwriting.force) }
        let job = SigningJob(
            options.console, .stored(transaction, copy: copy), isExtracting: rules.extract,
            isFinalizing: !rules.noFinalize, registrations: rules.registration, transfer: transfer)
        try await job.sign(invocation) {
            try await invocation.manager.sign(
                transaction, givenAs: $0, with: invocation.choice, network: invocation.network, policy: policy)
        }
    }
}
