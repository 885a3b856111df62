import TapSimulator
import Terminal

/// `--vpcd`: the virtual reader.
extension SimServeVerb {
    func serve(vpcd: String, pull: PlannedPull?) async throws(SimulatedCardError) {
        let (console, address) = (options.console, try VirtualReaderAddress(parsing: vpcd))
        let card = try openCard()
        let server = try VirtualReaderServer(card: card, address: address) { event in
            console.note(Self.words(event, address: address))
        }
        HandSignals.take(pull: { server.pull() }, insert: { server.insert() })
        follow(pull, on: card, pull: { server.pull() }, insert: { server.insert() })
        try announce(card, at: "for the virtual reader at \(address)") { $0.vpcd = address.description }
        Interruption.shared.onFirstSignal { server.stop() }
        await BlockingThread().run { server.run() }
    }

    private static func words(_ event: VirtualReaderEvent, address: VirtualReaderAddress) -> String {
        switch event {
        case .waiting(let reason): "The virtual reader at \(address) does not answer (\(reason)). Waiting for pcscd…"
        case .connected: "The card is on the reader."
        case .lost(let reason): "The reader is gone (\(reason)). Waiting for it…"
        case .pulled: "Card removed."
        case .cardFailed(let error): "The card's file cannot be written: \(error.message)"
        }
    }
}
