import Bitcoin
import TapManager
import TapProtocol
import Terminal

/// A SATSCARD's new slot, as the answer of a verb.
struct NewSlotAnswer {
    private struct Document: Encodable {
        let product: String
        let ident: String
        /// The name that the user gave the card.
        let name: String?
        let slot: Int
        let address: String
        /// Whether the card's certified key signed that the slot is sealed.
        let sealVerified: Bool
        /// Whether the key has the chain code of this run: the given one, or a random one.
        let chainCodeSupplied: Bool
    }

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
        console.answer(
            Document(
                product: card.status.product.rawValue, ident: card.ident.description, name: card.name,
                slot: result.report.slot.forPeople, address: address.description,
                sealVerified: result.report.isSealProven, chainCodeSupplied: result.hasOurChainCode), lines)
    }

    private var lines: [String] {
        let (slot, isProven) = (result.report.slot, result.report.isSealProven)
        let lines = [
            "\(SimulatedMark.text(if: card.isSimulated))SATSCARD \(card.ident.called(card.name)): slot \(slot) "
                + (isProven ? "is sealed and can be paid to." : "has a key, according to the card."),
            "  Address: \(address)" + (isProven ? "" : " (according to the card)"),
            result.hasOurChainCode
                ? "  Key: picked by the card, with a chain code from this machine" + (isProven ? " (proven)" : "")
                : "  Key: unchanged. To set up the next slot, first unseal this one with tapkit unseal.",
        ]
        return lines + result.report.cautions.map(SlotText.words)
    }
}
