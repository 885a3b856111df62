import AnswerDocuments
import Bitcoin
import TapManager
import TapProtocol
import TextLayout

/// A card's state as lines for the user, the next step last.
struct StatusText {
    private let status: CardStatus
    private let verdict: CertificateVerdict
    private let slot: ActiveSlotState?
    private let address: Address?
    private let isSimulated: Bool
    private let unfinished: [UnfinishedFlow]
    private let unsent: [TransactionListing]
    private let dueDrills: [StoredWallet]
    private let name: String?

    /// - Parameters:
    ///   - slot: a SATSCARD's active slot, if an accepted factory made the card.
    ///   - address: the active slot's proven address, if it may be paid to.
    ///   - unfinished: flows of the card that were interrupted.
    ///   - unsent: sweeps of the card's slots that have not been sent yet.
    ///   - dueDrills: the stored wallets whose drills are due.
    ///   - name: the name that the user gave the card.
    init(
        _ status: CardStatus, verdict: CertificateVerdict, slot: ActiveSlotState?, address: Address?, isSimulated: Bool,
        unfinished: [UnfinishedFlow] = [], unsent: [TransactionListing] = [], dueDrills: [StoredWallet] = [],
        name: String? = nil
    ) {
        self.name = name
        self.dueDrills = dueDrills
        self.unfinished = unfinished
        self.unsent = unsent
        self.status = status
        self.verdict = verdict
        self.slot = slot
        self.address = address
        self.isSimulated = isSimulated
    }

    /// The state of a card, whether proven or not.
    init(
        _ proof: CardProof, of card: CardAtHand, on network: Network?, unfinished: [UnfinishedFlow],
        unsent: [TransactionListing], dueDrills: [StoredWallet] = []
    ) {
        self.init(
            proof.status, verdict: proof.verdict, slot: proof.slotState,
            address: proof.addressToPay(of: card, on: network),
            isSimulated: card.isSimulated, unfinished: unfinished, unsent: unsent, dueDrills: dueDrills,
            name: card.name)
    }

    /// One fact per line.
    var lines: [String] {
        let version =
            "  Version \(status.appletVersion), \(birth), "
            + (status.isTestnet ? "for the test networks" : "for bitcoin")
        return [headline, version] + facts
    }

    /// The same without minor details.
    var brief: [String] { [headline] + facts }

    private var headline: String {
        "\(SimulatedMark.text(if: isSimulated))\(status.product.displayName) \(status.ident.called(name))"
    }

    private var facts: [String] {
        var lines = ["  Genuine: \(genuineness)"]
        if status.isTampered { lines.append("  \(NoticeText.tampered)") }
        if status.authDelaySeconds > 0 {
            lines.append("  Lockout after wrong CVCs: \(status.authDelaySeconds) s (wait it out with tapkit wait)")
        }
        lines += state + unsent.map { "  \($0.unsentWords)" }
        lines += unfinished.map { "  Unfinished: \(TerminalText.neutralized($0.words))." }
        lines += dueDrills.map { "  \($0.dueDrillWords)" }
        return lines + ["  Next: \(next)"]
    }

    /// What to do next: commands, or words.
    var next: String {
        let waiting = verdict.isAccepted ? unsent.first?.sendingCommand : nil
        // A sweep needs no key to be shown.
        if let waiting, case .unseal = unfinished.first?.work { return waiting }
        return unfinished.first.map { TerminalText.neutralized($0.wayOn) } ?? waiting ?? nextStep
    }

    private var birth: String { status.birthHeight.map { "made at block \($0)" } ?? "date of manufacture unknown" }

    private var genuineness: String {
        switch verdict {
        case .genuine: "yes, certified by the maker's factory"
        case .custom: "no, certified by a root that you accept" + (isSimulated ? " (the simulator's)" : "")
        case .development: "NO, a development card"
        case .unknown(let key):
            "NO, certified by the unknown root \(key)" + (isSimulated ? " (the simulator's)" : "")
        }
    }

    private var state: [String] {
        guard let slots = status.slots else {
            guard let path = status.path else { return ["  Not set up yet: the card has no key"] }
            let backups = status.backupCount.map { ", \($0.counted("backup")) made, according to the card" } ?? ""
            return ["  Set up, path \(path)\(backups)"]
        }
        var lines = ["  Slot \(slots.activeNumber) of \(slots.total)\(slot.map { ", \($0.text)" } ?? "")"]
        if let address {
            lines.append(
                "  Address: \(address)\(slot?.isProven == false ? " (according to the card)" : "")")
        }
        if slots.active > 0 { lines.append("  \(SlotText.printedCodeWarning)") }
        return lines
    }

    /// The money on the card may still be rescued.
    private var tamperedStep: String {
        status.product == .satscard
            ? "do not pay to this card any more; tapkit sweep --to ADDRESS --all to take the money out"
            : "use another card; tapkit sign to move the money to it"
    }

    private var nextStep: String {
        switch CardStep(status, verdict, slot) {
        case .doNotUse: "do not use this card, unless the root is your own: then accept it with --root-key"
        case .saveMoney: tamperedStep
        case .waitOffDelay: "tapkit wait"
        case .slot(let slot): slot.nextStep(hasUnsealed: (status.slots?.active ?? 0) > 0)
        case .setUp: "tapkit setup"
        case .backUp: "tapkit backup"
        case .cosign: "tapkit export cosigner, tapkit sign FILE"
        case .use: "tapkit xpub, tapkit export descriptors, tapkit sign FILE"
        }
    }
}
