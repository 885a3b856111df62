import TapManager
import TapProtocol

/// Sets up a SATSCARD's next slot and shows its address.
struct SlotSetup: Sendable {
    let access: CardAccess
    let options: GlobalOptions
    let manager: TapManager
    /// The chain code that the person named; `nil`: one is drawn.
    let chainCode: [UInt8]?

    private struct Answer: Encodable {
        let product: String
        let ident: String
        let slot: Int
        let address: String
        /// Whether the card's certified key signed for the slot's as that of a sealed slot.
        let sealVerified: Bool
        /// Whether the key has the chain code of this run: the one that was named, or one drawn just now.
        let chainCodeSupplied: Bool
    }

    /// Runs the flow and answers.
    func run(_ source: CVCSource) async throws(Failure) {
        let card = try WatchedCard(access, options, manager)
        let gate = card.gate
        let result = try await source.unlock(card) { (cvc) async throws(FlowError) in
            try await manager.setUpNextSlot(
                gate, cvc: cvc, chainCode: chainCode ?? RandomBytes.draw(count: 32), isChainCodeNamed: chainCode != nil)
        }.result
        guard let proven = result.report.address else { throw Failure(.slotUnused, "The slot has no address.") }
        let address = try access.shown(proven, options).description
        let slot = result.report.slot
        guard !options.isJSON else {
            JSONAnswer.write(
                Answer(
                    product: access.status.product.rawValue, ident: access.status.ident.description,
                    slot: slot.forPeople, address: address, sealVerified: result.report.isSealProven,
                    chainCodeSupplied: result.hasOurChainCode))
            return
        }
        let isSimulated = card.isSimulated
        options.console.say(
            "\(isSimulated ? "SIMULATED " : "")SATSCARD \(access.status.ident): slot \(slot) is sealed and can be paid to."
        )
        options.console.say("  Address: \(address)")
        options.console.say(
            result.hasOurChainCode
                ? "  Key: picked by the card with the chain code of this machine (proven)"
                : "  Key: kept from before. tapkit unseal opens this slot; then the next one can be set up.")
        if !result.report.isSealProven { options.console.say(SlotText.unprovenSealWarning) }
        if slot.index > 0 { options.console.say(SlotText.printedCodeWarning) }
    }
}
