import CardReaders
import SmartCard

/// Which readers does the PC/SC service list now, and what is on them?
enum ReadersCheck: DoctorCheck {
    static let name = "readers"
    static let kinds: Set<ReaderKind> = [.pcsc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        guard let readers = machine.service.readers else { return [] }
        let chosen = matching(readers, wanted)
        if chosen.isEmpty { return [absence(readers, machine, wanted)] }
        let forCards = matchingForCards(machine, wanted).map(\.name)
        return chosen.map { reader in
            let title = "“\(reader.name)” answers"
            guard forCards.contains(reader.name) else { return moduleSlot(title, machine, wanted) }
            switch reader.card {
            case .present: return fine("\(title); there is a card on it")
            case .absent: return fine("\(title); there is no card on it")
            case nil: return fine(title)
            case .mute:
                return note(
                    "\(title); what is on it does not",
                    remedy: "Take the card off and put it back, flat, with no other cards near it")
            case .held:
                return problem(
                    "\(title); another program is using its card exclusively",
                    remedy: "Close the other program: a wallet, gpg (gpgconf --kill scdaemon) or a browser")
            }
        }
    }

    /// A reader whose card another program uses exclusively cannot be used, nor one whose only slot is for a module.
    static func usableKinds(on machine: Machine, for wanted: WantedReader) -> [ReaderKind] {
        matchingForCards(machine, wanted).contains { $0.card != .held } ? [.pcsc] : []
    }

    /// The requested readers on which PC/SC reaches cards: not a Touchatag, whose slot always seems to have one.
    static func matchingForCards(_ machine: Machine, _ wanted: WantedReader) -> [SmartCardService.Reader] {
        let ports = machine.usbDevices.filter { $0.model?.kind == .module }.map(\.port)
        let modules = machine.namesInService.filter { ports.contains($0.key) }.values
        return matching(machine.service.readers ?? [], wanted).filter { !modules.contains($0.name) }
    }

    /// The requested readers.
    static func matching(_ readers: [SmartCardService.Reader], _ wanted: WantedReader) -> [SmartCardService.Reader] {
        readers.filter { PCSCBackend.isMeant($0.name, by: wanted.nameContains) }
    }

    private static func moduleSlot(
        _ title: String, _ machine: Machine, _ wanted: WantedReader
    ) -> DoctorFinding {
        let evidence = "\(title), but PC/SC reaches only its slot for a module (SAM), not a card on it"
        let remedy =
            "Use it with libnfc (\(wanted.naming("nfc"))): sudo systemctl stop pcscd.socket pcscd.service, "
            + "then plug the reader back in"
        // Not a problem if another reader is usable.
        let isEnough =
            !usableKinds(on: machine, for: wanted).isEmpty || !NFCReadiness.usable(on: machine, for: wanted).isEmpty
        return isEnough ? note(evidence, remedy: remedy) : problem(evidence, remedy: remedy)
    }

    private static func absence(
        _ readers: [SmartCardService.Reader], _ machine: Machine, _ wanted: WantedReader
    ) -> DoctorFinding {
        guard let text = wanted.nameContains, !readers.isEmpty else {
            let evidence =
                readers.isEmpty ? "PC/SC lists no reader" : "PC/SC lists only slots for modules (SAM), not for cards"
            // Not a problem if a libnfc device is usable.
            if !NFCReadiness.usable(on: machine, for: wanted).isEmpty { return note(evidence) }
            return problem(evidence, remedy: "Plug one in, and fix the problems listed above")
        }
        let names = readers.map { "“\($0.name)”" }.joined(separator: ", ")
        return problem(
            "No PC/SC reader has a name containing “\(text)”; PC/SC lists \(names)",
            remedy: "Choose one of these: \(wanted.naming("pcsc:TEXT")), or leave TEXT out")
    }
}
