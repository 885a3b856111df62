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
        return chosen.map { reader in
            let title = "“\(reader.name)” answers"
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

    /// A reader whose card another program uses exclusively cannot be used.
    static func usableKinds(on machine: Machine, for wanted: WantedReader) -> [ReaderKind] {
        matching(machine.service.readers ?? [], wanted).contains { $0.card != .held } ? [.pcsc] : []
    }

    /// The requested readers.
    static func matching(_ readers: [SmartCardService.Reader], _ wanted: WantedReader) -> [SmartCardService.Reader] {
        readers.filter { PCSCBackend.isMeant($0.name, by: wanted.nameContains) }
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
