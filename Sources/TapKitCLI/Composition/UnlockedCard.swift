import TapManager
import TapProtocol

/// The one card that a verb works with, its CVC, and the way to it for flows, whose progress people see.
struct UnlockedCard: Sendable {
    /// The card, and the way to it.
    let watched: WatchedCard
    /// Where its CVC comes from; whether it is right shows with the first command that needs it.
    let source: CVCSource

    /// Reads the CVC's file, if one was named, then finds the card, then asks for the CVC if none was. Nobody is asked
    /// for the CVC of a card that cannot do it anyway. What is begun is journalled in the local store, which must be there:
    /// to prove its master key, a card is moved away from its path for a moment.
    /// - Parameters:
    ///   - task: what the card is to do, for the error's message.
    ///   - purpose: what the CVC is needed for, when somebody is asked for it; `nil`: the task.
    ///   - products: those that can do it.
    /// - Throws: `Failure`: what `CardAtHand.open` and `GlobalOptions.store` throw; `.notSupported`, `.badCVC`,
    ///   `.cvcNeeded`, `.noInputFile`.
    static func open(
        _ options: GlobalOptions, task: String, to purpose: String? = nil,
        on products: Set<CardProduct> = [.tapsigner, .satschip]
    ) async throws(Failure) -> UnlockedCard {
        let givenCVC = try options.cvcOptions.fromFile()
        let access = try await CardAtHand.open(options)
        let product = access.status.product
        guard products.contains(product) else { throw Failure(FlowError.wrongProduct(product, task: task)) }
        let manager = try options.manager()
        let source = try CVCSource(given: givenCVC, CVCPrompt(access, to: purpose ?? task))
        return UnlockedCard(watched: WatchedCard(access, options, manager), source: source)
    }

    /// The card and its reader.
    var access: CardAtHand { watched.access }
    /// Whose flows work with it.
    var manager: CardManager { watched.manager }
    /// The way to the card.
    var gate: CardGate { watched.gate }
    /// Shows what the flows do.
    var progress: ProgressLine { watched.progress }
    /// Whether the card is known to be simulated, by how it was asked for or by who certified it.
    var isSimulated: Bool { watched.isSimulated }

    /// Runs a flow with the card's CVC; see `CVCSource.unlock`.
    func unlock<Result>(_ flow: (CVC) async throws(FlowError) -> Result) async throws(Failure) -> Result {
        try await source.unlock(watched, flow).result
    }

    /// Reads the card's account.
    func account() async throws(Failure) -> Account {
        let gate = gate
        return try await unlock { (cvc) async throws(FlowError) in
            try await AccountFlow(gate: gate, cvc: cvc).account()
        }
    }
}
