import ArgumentParser
import TapManager
import TapProtocol
import Terminal

/// `tapkit unseal`: unseals a SATSCARD's active slot, and shows its key.
struct UnsealVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unseal", abstract: "Permanently unseal a SATSCARD's active slot and show its key.",
        discussion: """
            The key is checked against the slot's address, master key and chain code. If unsealing is interrupted, \
            run the same command again: the card still has the key. If no slot is sealed, the key of the slot that was \
            unsealed last is shown again.

            The question shows the slot's whole address, proven by the card unless it is too old for that, and what it \
            holds, if a chain server is set. --offline does not ask the server.
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var offline: OfflineOptions

    private struct Answer: Encodable {
        let slot: Int
        let address: String
        let wif: String
        let descriptor: String
        let openedBefore: Bool
        let nextSlot: Int?
        let tampered: Bool
        /// Whether anyone who listened at the reader has the key, too; absent if that is not known.
        let exposed: Bool?
    }

    func run() async throws {
        let invocation = try Invocation(options, asksChain: !offline.offline)
        let card = try await invocation.card()
        let unsealing = try await invocation.during {
            try await invocation.manager.unseal(
                card, network: invocation.network, offeringNextSlot: !invocation.console.isJSON
            ) { result in
                try await invocation.showing { try show(result, of: card, invocation) }
            }
        }
        guard let slot = unsealing.nextSlot else { return }
        try NewSlotAnswer(slot, of: card, invocation).write(to: invocation.console)
    }

    /// - Throws: `Failure.cannotWrite` if part of it is lost: then the key counts as not shown.
    private func show(_ result: UnsealedSlot, of card: CardAtHand, _ invocation: Invocation) throws {
        let opened = result.opened
        let address = try card.address(opened.address, on: invocation.network).description
        invocation.console.answer(
            Answer(
                slot: opened.slot.forPeople, address: address, wif: opened.walletImportFormat,
                descriptor: opened.descriptor, openedBefore: result.wasOpenedBefore,
                nextSlot: result.next?.forPeople, tampered: opened.isTampered, exposed: result.wasExposed),
            Self.lines(result, address: address, isSimulated: card.isSimulated))
        guard !Console.hasLostOutput else {
            throw Failure.lostOutput.hinting("The slot is unsealed; the same command shows its key again.")
        }
    }

    private static func lines(_ result: UnsealedSlot, address: String, isSimulated: Bool) -> [String] {
        let slot = result.opened.slot
        let happened = result.wasOpenedBefore ? "was unsealed before" : "is now unsealed"
        var lines = ["\(isSimulated ? "SIMULATED: slot" : "Slot") \(slot) \(happened).", "  Address: \(address)"]
        lines += OpenedSlotText.lines(result.opened)
        if result.wasExposed == nil { lines.append(OpenedSlotText.unknownExposure) }
        lines.append(
            "  Proven: the key belongs to the address, and is derived from the slot's master key and chain code.")
        lines.append(OpenedSlotText.warning)
        if slot.index == 0 { lines.append(SlotText.printedCodeWarning) }
        lines.append("Next: tapkit sweep --to ADDRESS --slot \(slot) moves its money.")
        if let next = result.next, !result.opened.isTampered {
            lines.append("Then: tapkit setup gives slot \(next) a key.")
        }
        return lines
    }
}
