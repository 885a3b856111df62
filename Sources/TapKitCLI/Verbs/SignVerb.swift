import ArgumentParser
import TapManager

/// `tapkit sign`: signs a PSBT with the cards that can help.
struct SignVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a PSBT with the card.",
        discussion: """
            Shows the transaction, asks, signs every input that is the card's, checks each signature, and finalizes what \
            is complete. Interrupted, it keeps what is signed: run the same command again to go on, today or another day.

            Several cards: those on the readers that can help are all asked. With --wait, the cards of a multisig can be \
            laid down one after the other. A CVC file then has the CVC of every card in its first line, or lines \
            "IDENT CVC" for single cards, IDENT being the beginning of a card's ident.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var signing: SigningOptions

    func run() async throws {
        guard !(signing.readsStandardInput && options.cvcOptions.readsStandardInput) else {
            throw Failure(.usage, "The PSBT and the CVC cannot both come from standard input.")
        }
        let job = SigningJob(
            options.console, .file(signing.target), isExtracting: signing.rules.extract,
            isFinalizing: !signing.rules.noFinalize, transfer: try signing.picture.transfer())
        let invocation = try Invocation(options)
        try await job.sign(invocation) {
            try await invocation.manager.sign(
                $0, with: invocation.choice, network: invocation.network, policy: signing.rules.policy)
        }
    }
}
