/// Which readers does the PC/SC service name now, and what lies on them?
enum ReadersCheck: DoctorCheck {
    static let name = "readers"
    static let backends: Set<WantedReader.Backend> = [.pcsc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        guard let readers = machine.service.readers else { return [] }
        let chosen = matching(readers, wanted)
        if chosen.isEmpty { return [absence(readers, machine, wanted)] }
        return chosen.map { reader in
            let title = "“\(reader.name)” answers"
            switch reader.card {
            case .present: return fine("\(title); a card lies on it")
            case .absent: return fine("\(title); no card lies on it")
            case nil: return fine(title)
            case .mute:
                return note(
                    "\(title); what lies on it does not",
                    remedy: "take the card off and lay it down again, flat and alone, away from other cards")
            case .held:
                return problem(
                    "\(title); another program holds its card for itself alone",
                    remedy: "end the other program: a wallet, gpg (gpgconf --kill scdaemon), a browser")
            }
        }
    }

    /// The readers that were asked for.
    static func matching(_ readers: [SmartCardService.Reader], _ wanted: WantedReader) -> [SmartCardService.Reader] {
        guard let text = wanted.nameContains?.lowercased() else { return readers }
        return readers.filter { $0.name.lowercased().contains(text) }
    }

    private static func absence(
        _ readers: [SmartCardService.Reader], _ machine: Machine, _ wanted: WantedReader
    ) -> DoctorFinding {
        guard let text = wanted.nameContains, !readers.isEmpty else {
            let evidence = "PC/SC names no reader"
            // No harm where a libnfc device will do.
            if !NFCReadiness.usable(on: machine, for: wanted).isEmpty { return note(evidence) }
            return problem(evidence, remedy: "plug one in, and do what is said above about it")
        }
        let names = readers.map { "“\($0.name)”" }.joined(separator: ", ")
        return problem(
            "no PC/SC reader has “\(text)” in its name; there are \(names)",
            remedy: "name one of these: \(wanted.naming("pcsc:TEXT")), or leave TEXT out")
    }
}
