import Bitcoin
import TapManager
import TapProtocol

/// One run of a verb that works with cards through the manager: what its options come to.
struct Invocation {
    let options: GlobalOptions
    /// The network that was asked for; `nil`: what the card says.
    let network: Network?
    /// Which card was asked for.
    let choice: CardChoice
    /// Everything that is done.
    let manager: CardManager
    private let progress: ProgressLine

    /// - Throws: `Failure` for options that make no sense, a CVC file that cannot be used, and what `GlobalOptions.store`
    ///   throws.
    init(_ options: GlobalOptions) throws(Failure) {
        self.options = options
        network = try options.network()
        choice = options.cardChoice
        let interaction = TerminalInteraction(options, book: try options.cvcOptions.book())
        manager = try options.manager(over: try options.store(), interaction: interaction)
        progress = ProgressLine(options, of: manager)
        interaction.progress.show(progress)
    }

    /// Whether one of the cards turned out to be simulated, by the reader or by who certified it.
    var hasSeenSimulator: Bool { progress.hasSeenSimulator }

    /// Does something with the manager while people see how far it is.
    /// - Throws: `Failure`.
    func during<Result>(_ task: () async throws -> Result) async throws(Failure) -> Result {
        try await progress.during(anything: task)
    }
}
