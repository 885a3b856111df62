import SmartCard

/// Can the file of a simulated card be read and written? It needs no reader.
enum SimulatedCardCheck: DoctorCheck {
    static let name = "simulated_card"
    static let kinds: Set<ReaderKind> = [.sim]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        let remedy = "Name the file of a simulated card that you may read and write"
        guard let file = wanted.cardFile else { return [problem("No simulated card was named", remedy: remedy)] }
        if let complaint = machine.access(file).complaint { return [problem("\(file): \(complaint)", remedy: remedy)] }
        if let damage = damage(on: machine) {
            return [problem("\(file): \(damage)", remedy: "Create another simulated card, or name the file of one")]
        }
        return [fine("SIMULATED card \(file)")]
    }

    static func usableKinds(on machine: Machine, for wanted: WantedReader) -> [ReaderKind] {
        wanted.cardFile.map(machine.access) == .granted && damage(on: machine) == nil ? [.sim] : []
    }

    /// Why the file contains no card; `nil`: it does, or nobody looked.
    private static func damage(on machine: Machine) -> String? {
        guard case .none(.simFileDamaged, let message, _)? = machine.backends[.sim] else { return nil }
        return message
    }
}
