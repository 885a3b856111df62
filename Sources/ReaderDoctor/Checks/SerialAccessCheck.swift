import CardReaders
import SmartCard

/// Does this user have permission to open the serial port of a board?
enum SerialAccessCheck: DoctorCheck {
    static let name = "serial_access"
    static let kinds: Set<ReaderKind> = [.nfc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        let named = wanted.namedPorts(on: machine)
        let others = machine.serialPorts.filter { !named.contains($0) }
        // A named port is the one that matters; without one, libnfc could use any.
        return (named + (wanted.connstring == nil ? others : [])).compactMap { port in
            let access = machine.access(port)
            // The configuration check reports a named port that does not exist.
            guard access != .missing else { return nil }
            guard let complaint = access.complaint else { return fine("You have permission to open \(port)") }
            let evidence = "You do not have permission to open \(port): \(complaint)"
            let remedy = AccessRemedy.text(
                for: access, user: machine.user.name, setup: SetupCommand.serialRules(on: machine))
            let matters = named.contains(port) || wanted.isNFCOnly
            return matters ? problem(evidence, remedy: remedy) : note(evidence, remedy: remedy)
        }
    }
}
