import TapManager
import TapProtocol

/// A flow's progress, as `--json --progress` shows it: one object per line, on standard error.
package struct FlowEventDocument: Encodable {
    /// What happens; the names do not change.
    let event: String
    /// The ident of the card.
    let card: String
    private(set) var done: Int?
    private(set) var total: Int?
    private(set) var seconds: Int?
    private(set) var slot: Int?
    private(set) var path: String?
    private(set) var address: String?
    private(set) var root: String?
    private(set) var simulated: Bool?
    private(set) var found: String?

    /// An event with what it counts or names; everything else is absent.
    package init(_ event: FlowEvent, of card: CardIdent) {
        self.card = card.text
        switch event {
        case .provingCard: self.event = "proving_card"
        case .proven(let verdict, let isSimulated):
            (self.event, root, simulated) = ("proven", verdict.rootName, isSimulated ? true : nil)
        case .pickingKey: self.event = "picking_key"
        case .pickingSlotKey(let number): (self.event, slot) = ("picking_slot_key", number.forPeople)
        case .lookingAtSlots: self.event = "looking_at_slots"
        case .openingSlot(let number): (self.event, slot) = ("opening_slot", number.forPeople)
        case .changingPath(let path): (self.event, self.path) = ("changing_path", path.description)
        case .backingUp: self.event = "backing_up"
        case .changingCVC: self.event = "changing_cvc"
        case .signingMessage(let address): (self.event, self.address) = ("signing_message", address.description)
        case .securityDelay(let seconds): (self.event, self.seconds) = ("security_delay", seconds)
        case .signed(let done, let total): (self.event, self.done, self.total) = ("signed", done, total)
        case .waitingForCard: self.event = "waiting_for_card"
        case .waitingForReader: self.event = "waiting_for_reader"
        case .wrongCard(let found, _): (self.event, self.found) = ("wrong_card", found.text)
        case .unreadableCard: self.event = "unreadable_card"
        case .cardReturned: self.event = "card_returned"
        }
    }
}

/// A request for another cosigner's card, as `--json --progress` shows it.
package struct NextSignerDocument: Encodable {
    private let event = "next_signer"
    let signedBy: [String]
    let threshold: Int
    /// Who can add missing signatures.
    let canSign: [String]

    /// Who has signed, and whose signatures would complete it.
    package init(_ tally: SignatureTally) {
        signedBy = tally.signedBy.map(\.description)
        threshold = tally.threshold
        canSign = tally.canSign.map(\.description)
    }
}
