import TapSimulator
import Terminal

/// `--pn532`: the simulated chip.
extension SimServeVerb {
    /// Parses `--pn532-fault`.
    func chipFault() throws -> PN532Fault? {
        guard let pn532Fault else { return nil }
        let parts = pn532Fault.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = PN532Fault.Kind(rawValue: String(parts[0])), let exchange = Int(parts[1]),
            exchange > 0
        else {
            let kinds = PN532Fault.Kind.allCases.map { $0.rawValue }.joined(separator: ", ")
            throw Failure(.usage, "--pn532-fault takes a kind (\(kinds)) and a number from 1, for example silence:3.")
        }
        return PN532Fault(kind, atExchange: exchange)
    }

    func servePN532(fault: PN532Fault?, pull: PlannedPull?) async throws(SimulatedCardError) {
        let console = options.console
        let card = try openCard()
        let server = try PN532Server(card: card, link: pn532Link) { event in
            if let words = Self.words(event) { console.note(words) }
        }
        server.misbehave(fault)
        HandSignals.take(pull: { server.pull() }, insert: { server.insert() })
        follow(pull, on: card, pull: { server.pull() }, insert: { server.insert() })
        let port = server.path
        try announce(card, at: "as a PN532 chip at \(port)") {
            $0.pn532 = port
            $0.pn532Link = pn532Link
            $0.reader = "nfc:pn532_uart:\(port)"
        }
        console.note("Use it with: --reader nfc:pn532_uart:\(pn532Link ?? port)")
        Interruption.shared.onFirstSignal { server.stop() }
        await BlockingThread().run { server.run() }
    }

    private static func words(_ event: PN532Event) -> String? {
        switch event {
        case .awake: "A program woke the chip."
        // Programs that wait for a card poll several times a second.
        case .activated: nil
        case .pulled: "Card removed."
        case .laidDown: "The card is on the chip."
        case .cardFailed(let error): "The card's file cannot be written: \(error.message)"
        case .portFailed(let reason): "The pseudo-terminal failed: \(reason)."
        }
    }
}
