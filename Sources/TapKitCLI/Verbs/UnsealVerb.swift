import ArgumentParser
import TapManager
import TapProtocol

/// `tapkit unseal`: opens a SATSCARD's active slot, and shows its key.
struct UnsealVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unseal", abstract: "SATSCARD: open the active slot for good and show its key.",
        discussion: """
            The key is proven against the slot's address, its master key and chain code. Interrupted, run the same \
            command again: the card still has the key. When no slot is sealed, the key of the slot that was opened last \
            is shown again.
            """)

    @OptionGroup var options: GlobalOptions

    private struct Answer: Encodable {
        let slot: Int
        let address: String
        let wif: String
        let descriptor: String
        let openedBefore: Bool
        let nextSlot: Int?
        let tampered: Bool
        /// Whether whoever listened at the reader has the key, too.
        let exposed: Bool
    }

    func run() async throws {
        let givenCVC = try options.cvcOptions.fromFile()
        let access = try await CardAtHand.open(options)
        let manager = try options.manager()
        let plan: UnsealFlow.Plan
        do { plan = try manager.unsealingPlan(for: access.status) } catch { throw Failure(error) }
        // Whether another slot is sealed is the card's word, and not to be relied on here.
        if case .showAgain = plan { options.console.note(SlotText.listenerWarning) }
        try Confirmation.require(Self.question(plan, access), options)
        let source = try CVCSource(given: givenCVC, CVCPrompt(access, to: "open a slot for good and show its key"))
        let card = WatchedCard(access, options, manager)
        let gate = card.gate
        let (result, cvc) = try await source.unlock(card) { (cvc) async throws(FlowError) in
            try await manager.unseal(gate, cvc: cvc, plan: plan)
        }
        // What ends the process before the key is shown, or loses what it shows, leaves the opening unfinished.
        defer { if !Console.hasLostOutput { finish(card) } }
        let address = try access.shown(result.opened.address, options).description
        guard !options.isJSON else {
            JSONAnswer.write(
                Answer(
                    slot: result.opened.slot.forPeople, address: address, wif: result.opened.walletImportFormat,
                    descriptor: result.opened.descriptor, openedBefore: result.wasOpenedBefore,
                    nextSlot: result.next?.forPeople, tampered: result.opened.isTampered,
                    exposed: result.opened.wasExposed))
            return
        }
        say(result, address: address, isSimulated: card.isSimulated)
        if !result.opened.isTampered { try await offerNextSlot(result.next, card, cvc: cvc) }
    }

    private func finish(_ card: WatchedCard) {
        do throws(FlowError) { try card.manager.finishUnsealing(card.gate) } catch {
            options.console.note("The store does not know that the slot's key was shown: \(Failure(error).message)")
        }
    }

    private static func question(_ plan: UnsealFlow.Plan, _ access: CardAtHand) -> String {
        let label = access.label
        switch plan {
        case .open(let slot, let address):
            return "Open slot \(slot) (\(address)) of \(label) for good, and show its private key on this screen?"
        case .showAgain(let slots) where access.status.address != nil:
            let slot = slots.first.map { "slot \($0)" } ?? "a slot"
            return "The opening of \(slot) of \(label) was interrupted. Show its private key on this screen?"
        case .showAgain: return "No slot of \(label) is sealed. Show the private key of the slot that was opened last?"
        }
    }

    private func say(_ result: UnsealFlow.Result, address: String, isSimulated: Bool) {
        let console = options.console
        let slot = result.opened.slot
        let happened = result.wasOpenedBefore ? "was opened before" : "is open now"
        console.say("\(isSimulated ? "SIMULATED: slot" : "Slot") \(slot) \(happened).")
        console.say("  Address: \(address)")
        for line in OpenedSlotText.lines(result.opened) { console.say(line) }
        console.say("  Proven: the key is the address's, and follows from the slot's master key and chain code.")
        console.say(OpenedSlotText.warning)
        if slot.index == 0 { console.say(SlotText.printedCodeWarning) }
        if let next = result.next, !result.opened.isTampered {
            console.say("Next: tapkit setup gives slot \(next) a key.")
        }
    }

    /// Asks a person at a terminal, and nobody else: setting up a slot was not what the command was for.
    private func offerNextSlot(_ next: SlotNumber?, _ card: WatchedCard, cvc: CVC) async throws {
        guard let next, !options.isConfirmed else { return }
        guard try Confirmation.isGranted("Give slot \(next) a key now, so that the card can be paid to again?") else {
            return
        }
        let setup = SlotSetup(access: card.access, options: options, manager: card.manager, chainCode: nil)
        try await setup.confirm()
        try await setup.run(CVCSource(proven: cvc))
    }
}
