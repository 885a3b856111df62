import TapManager
import TapProtocol

extension HWISession {
    /// Has a manager do something with a card that was found, while people see how far it is.
    /// - Parameter purpose: what the CVC is for, behind “to”.
    /// - Throws: `Failure`.
    func managing<Result>(
        _ device: HWIDevice, to purpose: String, _ task: (CardManager) async throws -> Result
    ) async throws(Failure) -> Result {
        let interaction = HWIInteraction(options, purpose: purpose, given: givenCVC(of: device), proven: nil)
        let manager = try options.manager(over: options.store(), interaction: interaction)
        let progress = ProgressLine(options, of: manager)
        interaction.progress.show(progress)
        return try await progress.during(anything: { try await task(manager) })
    }
}
