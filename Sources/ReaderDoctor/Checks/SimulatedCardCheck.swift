import SmartCard

/// Can the file of a simulated card be read and written? It needs no reader.
enum SimulatedCardCheck: DoctorCheck {
    static let name = "simulated_card"
    static let kinds: Set<ReaderKind> = [.sim]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        let remedy = "name the file of a simulated card that you may read and write"
        guard let file = wanted.cardFile else { return [problem("no simulated card was named", remedy: remedy)] }
        guard let complaint = machine.access(file).complaint else { return [fine("SIMULATED card \(file)")] }
        return [problem("\(file): \(complaint)", remedy: remedy)]
    }

    static func usableKinds(on machine: Machine, for wanted: WantedReader) -> [ReaderKind] {
        wanted.cardFile.map(machine.access) == .granted ? [.sim] : []
    }
}
