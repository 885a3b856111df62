import TapProtocol

/// A card's state as lines for people, the next step last.
struct StatusText {
    private let status: CardStatus
    private let verdict: CertificateVerdict
    private let isSimulated: Bool

    init(_ status: CardStatus, verdict: CertificateVerdict, isSimulated: Bool) {
        self.status = status
        self.verdict = verdict
        self.isSimulated = isSimulated
    }

    /// One fact a line.
    var lines: [String] {
        let mark = isSimulated ? "SIMULATED " : ""
        var lines = [
            "\(mark)\(status.product.displayName) \(status.ident)",
            "  Version \(status.appletVersion), made at block \(status.birthHeight), "
                + (status.isTestnet ? "for the test networks" : "for bitcoin"),
            "  Genuine: \(genuineness)",
        ]
        if status.isTampered { lines.append("  TAMPERED WITH, says the card itself.") }
        if status.authDelaySeconds > 0 {
            lines.append("  Security delay after wrong CVCs: \(status.authDelaySeconds) s (tapkit wait runs it off)")
        }
        return lines + state + ["  Next: \(nextStep)"]
    }

    private var genuineness: String {
        switch verdict {
        case .genuine: "yes, certified by the maker's factory"
        case .custom: "no, certified by the root that you accept" + (isSimulated ? " (the simulator's)" : "")
        case .development: "NO, a development card"
        case .unknown(let key): "NO, certified by the unknown root \(key)"
        }
    }

    private var state: [String] {
        guard let slots = status.slots else {
            guard let path = status.path else { return ["  Not set up: the card has no key yet"] }
            let backups = status.backupCount.map { ", \($0) backup\($0 == 1 ? "" : "s") made" } ?? ""
            return ["  Set up, path \(path)\(backups)"]
        }
        let address = status.address.map { ", address \($0)" } ?? ", unused"
        return ["  Slot \(slots.activeNumber) of \(slots.total)\(address)"]
    }

    private var nextStep: String {
        switch verdict {
        case .development, .unknown:
            return "do not use this card. If the root is your own, accept it with --root-key"
        case .genuine, .custom: break
        }
        if status.authDelaySeconds > 0 { return "tapkit wait" }
        if status.product == .satscard { return "tapkit verify" }
        if !status.isSetUp { return "tapkit setup" }
        if status.backupCount == 0 { return "tapkit backup" }
        return "tapkit xpub, tapkit export descriptors, tapkit sign FILE"
    }
}
