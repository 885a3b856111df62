import Bitcoin
import TapManager
import TapProtocol

/// Sets up a SATSCARD's next slot and shows its address.
struct SlotSetup: Sendable {
    let access: CardAtHand
    let options: GlobalOptions
    let manager: CardManager
    /// The chain code that the person named; `nil`: one is drawn.
    let chainCode: ChainCode?

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

    /// Asks first where the card cannot prove that its slots are sealed, unless nothing is left to set up.
    /// - Throws: `Failure`: `.cardUsedUp`, `.declined`, `.confirmationNeeded`, ….
    func confirm() async throws(Failure) {
        guard !access.status.appletVersion.provesSeal, !options.isConfirmed else { return }
        let card = WatchedCard(access, options, manager)
        let gate = card.gate
        _ = try await card.progress.during { () throws(FlowError) in try await SlotsFlow(gate: gate, cvc: nil).one(nil)
        }
        options.console.note(SlotText.unprovenSealWarning)
        try Confirmation.require("Set up a slot of this card all the same?", options)
    }

    /// Runs the flow and answers.
    func run(_ source: CVCSource) async throws(Failure) {
        let card = WatchedCard(access, options, manager)
        let gate = card.gate
        let result = try await source.unlock(card) { (cvc) async throws(FlowError) in
            try await manager.setUpNextSlot(
                gate, cvc: cvc, chainCode: chainCode ?? .drawn(), isChainCodeNamed: chainCode != nil)
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
        let isProven = result.report.isSealProven
        options.console.say(
            "\(card.isSimulated ? "SIMULATED " : "")SATSCARD \(access.status.ident): slot \(slot) "
                + (isProven ? "is sealed and can be paid to." : "has a key, says the card."))
        options.console.say("  Address: \(address)" + (isProven ? "" : " (says the card)"))
        options.console.say(
            result.hasOurChainCode
                ? "  Key: picked by the card with the chain code of this machine" + (isProven ? " (proven)" : "")
                : "  Key: kept from before. tapkit unseal opens this slot; then the next one can be set up.")
        if !isProven { options.console.say(SlotText.unprovenSealWarning) }
        if slot.index > 0 { options.console.say(SlotText.printedCodeWarning) }
    }
}
