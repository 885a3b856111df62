import TapSimulator
import Terminal

/// `--socket`: the Unix socket.
extension SimServeVerb {
    func serve(socket: String) async throws(SimulatedCardError) {
        let console = options.console
        let card = try openCard()
        let server = try CardSocketServer(card: card, path: socket) { event in
            console.note(Self.words(event))
        }
        try announce(card, at: "at the socket \(socket)") { $0.socket = socket }
        Interruption.shared.onFirstSignal { server.stop() }
        await BlockingThread().run { server.run() }
    }

    private static func words(_ event: CardSocketEvent) -> String {
        switch event {
        case .connected: "A program connected."
        case .disconnected: "The program disconnected."
        case .cardFailed(let error): "The card's file cannot be written: \(error.message)"
        }
    }
}
