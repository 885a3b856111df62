import AnswerDocuments
import Bitcoin
import TapManager
import TapProtocol
import Terminal

/// A SATSCARD's new slot, as the answer of a verb.
struct NewSlotAnswer {
    private let result: NewSlot
    private let card: CardAtHand
    private let address: Address

    /// - Throws: `Failure.slotUnused` for a slot without an address, `.wrongNetwork`.
    init(
        _ result: NewSlot, of card: CardAtHand, _ invocation: Invocation
    ) throws {
        guard let proven = result.report.address else { throw Failure(.slotUnused, "The slot has no address.") }
        address = try card.address(proven, on: invocation.network)
        (self.result, self.card) = (result, card)
    }

    /// Writes it for the user or, with `--json`, for programs.
    func write(to console: Console) {
        console.answer(NewSlotDocument(result, of: card, at: address), lines)
        if result.hasEarlierChainCode { console.note(SetupVerb.earlierSetupWarning) }
    }

    private var lines: [String] {
        let (slot, isProven) = (result.report.slot, result.report.isSealProven)
        let lines = [
            "\(SimulatedMark.text(if: card.isSimulated))SATSCARD \(card.ident.called(card.name)): slot \(slot) "
                + (isProven ? "is sealed and can be paid to." : "has a key, according to the card."),
            "  Address: \(address)" + (isProven ? "" : " (according to the card)"),
            keyLine(isProven: isProven),
        ]
        return lines + result.report.cautions.map(SlotText.words)
    }

    private func keyLine(isProven: Bool) -> String {
        if result.hasOurChainCode {
            return "  Key: picked by the card, with a chain code from this machine" + (isProven ? " (proven)" : "")
        }
        return result.hasEarlierChainCode
            ? SetupVerb.earlierSetupLine
            : "  Key: unchanged. To set up the next slot, first unseal this one with tapkit unseal."
    }
}
