import TapSimulator
import Terminal

/// `--usb`: the simulated USB reader.
extension SimServeVerb {
    /// Parses `--usb`.
    func usbReader() throws(Failure) -> (model: USBReaderModel, path: String)? {
        guard let usb else { return nil }
        let parts = usb.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let model = USBReaderModel(rawValue: String(parts[0])) else {
            let models = USBReaderModel.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(.usage, "--usb takes a model (\(models)) and a socket's path: acr1252u=reader.sock.")
        }
        return (model, String(parts[1]))
    }

    /// Parses `--usb-fault`.
    func readerFault() throws(Failure) -> USBReaderFault? {
        try fault(usbFault, "--usb-fault", USBReaderFault.Kind.allCases).map { USBReaderFault($0, atExchange: $1) }
    }

    func serve(
        usb reader: (model: USBReaderModel, path: String), fault: USBReaderFault?, pull: PlannedPull?
    ) async throws(SimulatedCardError) {
        let (console, card) = (options.console, try openCard())
        let server = try USBReaderServer(card: card, model: reader.model, path: reader.path) { event in
            if let words = Self.words(event, reader) { console.note(words) }
        }
        server.misbehave(fault)
        HandSignals.take(
            pull: { server.pull() },
            insert: {
                server.insert()
                server.plugIn()
            })
        follow(pull, on: card, pull: { server.pull() }, insert: { server.insert() })
        try announce(card, at: "on the USB reader \(reader.model.name), socket \(reader.path)") {
            ($0.usb, $0.socket) = (reader.model.rawValue, reader.path)
        }
        Interruption.shared.onFirstSignal { server.stop() }
        await BlockingThread().run { server.run() }
    }

    private static func words(_ event: USBReaderEvent, _ reader: (model: USBReaderModel, path: String)) -> String? {
        switch event {
        case .waiting(let reason): "The machine at \(reader.path) does not answer (\(reason)). Waiting for it…"
        case .connected, .pluggedIn: "The \(reader.model.name) is plugged in."
        case .lost: "The machine is gone. Waiting for it…"
        case .refused(let reason): "Disconnected from the machine, which sent \(reason)."
        case .unplugged: "Reader unplugged."
        // Programs power a card again and again.
        case .activated: nil
        case .pulled: "Card removed."
        case .laidDown: "The card is on the reader."
        case .misbehaved(.mutePower): "The card does not answer until it is removed and put back."
        case .misbehaved(let kind): "The reader misbehaves now: \(kind.rawValue)."
        case .cardFailed(let error): "The card's file cannot be written: \(error.message)"
        }
    }
}
