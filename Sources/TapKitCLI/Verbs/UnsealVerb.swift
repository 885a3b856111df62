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
        let invocation = try Invocation(options)
        let card = try await invocation.card()
        let unsealing = try await invocation.during {
            try await invocation.manager.unseal(card, offeringNextSlot: !options.isJSON) { result in
                try await invocation.showing {
                    try show(result, of: card, isSimulated: card.isSimulated || invocation.hasSeenSimulator)
                }
            }
        }
        guard let slot = unsealing.nextSlot else { return }
        let isSimulated = card.isSimulated || invocation.hasSeenSimulator
        try NewSlotAnswer(slot, of: card, isSimulated: isSimulated, options).write(options)
    }

    /// - Throws: `Failure.cannotWrite` when a part of it is lost: then the key was not shown.
    private func show(_ result: UnsealedSlot, of card: CardAtHand, isSimulated: Bool) throws(Failure) {
        let address = try card.shown(result.opened.address, options).description
        if options.isJSON {
            JSONAnswer.write(
                Answer(
                    slot: result.opened.slot.forPeople, address: address, wif: result.opened.walletImportFormat,
                    descriptor: result.opened.descriptor, openedBefore: result.wasOpenedBefore,
                    nextSlot: result.next?.forPeople, tampered: result.opened.isTampered,
                    exposed: result.opened.wasExposed))
        } else {
            say(result, address: address, isSimulated: isSimulated)
        }
        guard !Console.hasLostOutput else { throw .lostOutput }
    }

    private func say(_ result: UnsealedSlot, address: String, isSimulated: Bool) {
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
}
