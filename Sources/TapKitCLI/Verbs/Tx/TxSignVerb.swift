import ArgumentParser
import TapManager

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

    func run() async throws {
        let transaction = try TransactionArgument.transaction(id, in: options.existingStore())
        let manager = try options.manager()
        let desk = SigningDesk(options, .stored(transaction, copy: output), isExtracting: rules.extract)
        try await SigningRound(options: options, desk: desk, manager: manager, policy: rules.policy).run()
    }
}
