import Bitcoin
import TapManager
import TapProtocol

/// A card's state as lines for people, the next step last.
struct StatusText {
    private let status: CardStatus
    private let verdict: CertificateVerdict
    private let slot: ActiveSlotState?
    private let address: Address?
    private let isSimulated: Bool
    private let unfinished: [UnfinishedFlow]
    private let unsent: [TransactionListing]
    private let name: String?

    /// - Parameters:
    ///   - slot: a SATSCARD's active slot, unless no accepted factory made the card.
    ///   - address: the active slot's address, proven, if it is to be paid to.
    ///   - unfinished: flows of the card that were interrupted.
    ///   - unsent: sweeps of the card's slots that no server took yet.
    ///   - name: what the person called it.
    init(
        _ status: CardStatus, verdict: CertificateVerdict, slot: ActiveSlotState?, address: Address?, isSimulated: Bool,
        unfinished: [UnfinishedFlow] = [], unsent: [TransactionListing] = [], name: String? = nil
    ) {
        self.name = name
        self.unfinished = unfinished
        self.unsent = unsent
        self.status = status
        self.verdict = verdict
        self.slot = slot
        self.address = address
        self.isSimulated = isSimulated
    }

    /// A card that was proven, or not.
    init(
        _ proof: CardProof, of card: CardAtHand, on network: Network?, unfinished: [UnfinishedFlow],
        unsent: [TransactionListing]
    ) {
        self.init(
            proof.status, verdict: proof.verdict, slot: proof.slotState,
            address: Self.address(proof, of: card, on: network),
            isSimulated: card.isSimulated, unfinished: unfinished, unsent: unsent, name: card.name)
    }

    /// The active slot's address as a network writes it, if money may be sent there.
    static func address(_ proof: CardProof, of card: CardAtHand, on network: Network?) -> Address? {
        proof.addressToPay.map { (try? card.address($0, on: network)) ?? $0 }
    }

    /// One fact a line.
    var lines: [String] {
        let version =
            "  Version \(status.appletVersion), \(birth), "
            + (status.isTestnet ? "for the test networks" : "for bitcoin")
        return [headline, version] + facts
    }

    /// The same without what matters little.
    var brief: [String] { [headline] + facts }

    private var headline: String {
        "\(isSimulated ? "SIMULATED " : "")\(status.product.displayName) \(status.ident.called(name))"
    }

    private var facts: [String] {
        var lines = ["  Genuine: \(genuineness)"]
        if status.isTampered { lines.append("  TAMPERED WITH, says the card itself.") }
        if status.authDelaySeconds > 0 {
            lines.append("  Security delay after wrong CVCs: \(status.authDelaySeconds) s (tapkit wait runs it off)")
        }
        lines += state + unsent.map { "  \($0.unsentWords)" }
        lines += unfinished.map { "  Unfinished: \(TerminalText.neutralized($0.words))." }
        let waiting = verdict.isAccepted ? unsent.first?.sendingCommand : nil
        let next = unfinished.first.map { TerminalText.neutralized($0.wayOn) } ?? waiting ?? nextStep
        return lines + ["  Next: \(next)"]
    }

    private var birth: String { status.birthHeight.map { "made at block \($0)" } ?? "does not say when it was made" }

    private var genuineness: String {
        switch verdict {
        case .genuine: "yes, certified by the maker's factory"
        case .custom: "no, certified by the root that you accept" + (isSimulated ? " (the simulator's)" : "")
        case .development: "NO, a development card"
        case .unknown(let key):
            "NO, certified by the unknown root \(key)" + (isSimulated ? " (the simulator's)" : "")
        }
    }

    private var state: [String] {
        guard let slots = status.slots else {
            guard let path = status.path else { return ["  Not set up: the card has no key yet"] }
            let backups = status.backupCount.map { ", \($0.counted("backup")) made, it says" } ?? ""
            return ["  Set up, path \(path)\(backups)"]
        }
        var lines = ["  Slot \(slots.activeNumber) of \(slots.total)\(slot.map { ", \($0.text)" } ?? "")"]
        if let address { lines.append("  Address: \(address)\(slot?.isProven == false ? " (says the card)" : "")") }
        if slots.active > 0 { lines.append("  \(SlotText.printedCodeWarning)") }
        return lines
    }

    /// What is in the card may still be taken out.
    private var tamperedStep: String {
        status.product == .satscard
            ? "pay nothing to this card any more; tapkit slots --show-keys, tapkit unseal to take the money out"
            : "use another card; tapkit sign to move the money to it"
    }

    private var nextStep: String {
        switch CardStep(status, verdict, slot) {
        case .doNotUse: "do not use this card. If the root is your own, accept it with --root-key"
        case .saveMoney: tamperedStep
        case .waitOffDelay: "tapkit wait"
        case .slot(let slot): slot.nextStep
        case .setUp: "tapkit setup"
        case .backUp: "tapkit backup"
        case .use: "tapkit xpub, tapkit export descriptors, tapkit sign FILE"
        }
    }
}
