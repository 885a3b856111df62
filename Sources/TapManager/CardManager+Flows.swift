import Bitcoin
import TapProtocol

/// Steps of a sweep that opens a slot.
extension CardManager {
    /// Opens a SATSCARD's slot, or fetches the key of one that was opened. Call `finishUnsealing` when the person has it.
    /// - Throws: what `UnsealFlow.run` throws.
    public func unseal(_ gate: CardGate, cvc: CVC, plan: UnsealFlow.Plan) async throws(FlowError) -> UnsealFlow.Result {
        try await UnsealFlow(gate: gate, cvc: cvc).run(plan)
    }

    /// Strikes the opening of a slot out of the journal: the person has its key.
    public nonisolated func finishUnsealing(_ gate: CardGate) throws(FlowError) { try gate.journal.finish(.unseal) }
}
