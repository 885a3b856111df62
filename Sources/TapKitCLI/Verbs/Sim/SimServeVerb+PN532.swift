import TapSimulator
import Terminal

/// `--pn532`: the simulated chip.
extension SimServeVerb {
    /// Parses `--pn532-fault`.
    func chipFault() throws(Failure) -> PN532Fault? {
        try fault(pn532Fault, "--pn532-fault", PN532Fault.Kind.allCases).map { PN532Fault($0, atExchange: $1) }
    }

    /// Parses the kind of a fault, and the exchange at which it happens.
    func fault<Kind: RawRepresentable<String>>(
        _ text: String?, _ option: String, _ kinds: [Kind]
    ) throws(Failure) -> (Kind, exchange: Int)? {
        guard let text else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])), let exchange = Int(parts[1]), exchange > 0
        else {
            let names = kinds.map(\.rawValue).joined(separator: ", ")
            throw Failure(.usage, "\(option) takes a kind (\(names)) and a number from 1, for example silence:3.")
        }
        return (kind, exchange)
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
