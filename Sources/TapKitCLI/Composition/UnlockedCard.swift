import TapManager
import TapProtocol

/// The one card that a verb works with, its CVC, and the way to it for flows, whose progress people see.
struct UnlockedCard: Sendable {
    /// The card and its reader.
    let access: CardAccess
    /// The CVC that was given; whether it is right shows with the first command that needs it.
    let cvc: CVC
    /// The way to the card.
    let gate: CardGate
    /// Shows the gate's events.
    let progress: ProgressLine

    /// Reads the CVC's file, if one was named, then finds the card, then asks for the CVC if none was. Nobody is asked
    /// for the CVC of a card that cannot do it anyway.
    /// - Parameters:
    ///   - task: what is to be done, for the error's message.
    ///   - products: those that can do it.
    /// - Throws: `Failure`: what `CardAccess.open` throws; `.notSupported`, `.badCVC`, `.cvcNeeded`, `.noInputFile`.
    static func open(
        _ options: GlobalOptions, task: String, on products: Set<CardProduct> = [.tapsigner, .satschip]
    ) async throws(Failure) -> UnlockedCard {
        let givenCVC = try options.cvcOptions.fromFile()
        let access = try await CardAccess.open(options)
        let product = access.status.product
        guard products.contains(product) else { throw Failure(FlowError.wrongProduct(product, task: task)) }
        let cvc: CVC
        if let givenCVC { cvc = givenCVC } else { cvc = try options.cvcOptions.ask(for: access.label) }
        let progress = ProgressLine(options.console)
        let gate = try access.gate(options) { progress.show($0) }
        return UnlockedCard(access: access, cvc: cvc, gate: gate, progress: progress)
    }

    /// Whether the card is known to be simulated, by how it was asked for or by who certified it.
    var isSimulated: Bool { access.isSimulated || progress.hasSeenSimulator }

    /// Reads and moves the card's account.
    var accounts: AccountFlow { AccountFlow(gate: gate, cvc: cvc) }
}
