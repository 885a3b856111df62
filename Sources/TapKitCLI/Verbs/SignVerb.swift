import ArgumentParser
import TapManager

/// `tapkit sign`: signs a PSBT with the cards that can sign it.
struct SignVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a PSBT with the card.",
        discussion: """
            Shows the transaction, asks, signs every input that belongs to the card, checks each signature, and \
            finalizes complete inputs. If signing is interrupted, signatures are kept: run the same command again to \
            continue, even on another day.

            With several cards, all cards on the readers that can sign are used. With --wait, the cards of a multisig \
            wallet can be put on the reader one after the other. A CVC file then has one CVC for all cards on its \
            first line, or lines "IDENT CVC" for single cards, where IDENT is the start of a card's ident.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var signing: SigningOptions
    @OptionGroup var overwriting: OverwritingOption
    @OptionGroup var rules: SigningRules
    @OptionGroup var picture: QRTransferOptions

    func run() async throws {
        try GlobalOptions.requireOneInput([
            ("The PSBT", signing.readsStandardInput), ("the CVC", options.readsCVCFromStandardInput),
        ])
        let job = SigningJob(
            options.console, .file(signing.target(overwriting)), isExtracting: rules.extract,
            isFinalizing: !rules.noFinalize, registrations: rules.registration, transfer: try picture.transfer())
        let policy = try rules.policy()
        let invocation = try Invocation(options)
        try await job.sign(invocation) {
            try await invocation.manager.sign(
                $0, with: invocation.choice, network: invocation.network, policy: policy)
        }
    }
}
