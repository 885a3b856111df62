import ArgumentParser
import Glibc
import TapSimulator

/// `tapkit sim serve`: puts a simulated card where other programs find one.
struct SimServeVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Put a simulated card where other programs find one, until Ctrl-C.",
        discussion: """
            With --vpcd the card lies on the virtual PC/SC reader of Debian's package vsmartcard-vpcd, for every program \
            that speaks PC/SC. pcscd may come and go. SIGUSR1 pulls the card off the reader, SIGUSR2 lays it back.

            With --socket it answers at a Unix socket as the maker's emulator does: one CBOR map for each request and \
            answer. Programs are served one after the other; each finds a card that was just laid down.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The card's file.")
    var file: String

    @Option(
        help: ArgumentHelp(
            "The virtual reader's address; its readers listen on 35963 and 35964.", valueName: "host:port"))
    var vpcd: String?

    @Option(help: ArgumentHelp("Where the socket shall be; a stale one is replaced.", valueName: "path"))
    var socket: String?

    @Option(
        name: .customLong("sign-ms"),
        help: ArgumentHelp(
            "How much longer a signature takes than this machine needs for it; default: as the card was made.",
            valueName: "ms"))
    var signMilliseconds: Int?

    private struct Answer: Encodable {
        let file: String
        var vpcd: String?
        var socket: String?
        let ident: String
        let rootKey: String
        let simulated = true
    }

    func validate() throws {
        guard (vpcd == nil) != (socket == nil) else {
            throw ValidationError("Say where the card shall be: --vpcd HOST:PORT or --socket PATH.")
        }
    }

    func run() async throws {
        guard (0...CardDelays.longest).contains(signMilliseconds ?? 0) else {
            throw Failure(.usage, "--sign-ms takes 0 to 60000 milliseconds.")
        }
        do throws(SimulatedCardError) {
            if let vpcd { try await serve(vpcd: vpcd) }
            if let socket { try await serve(socket: socket) }
        } catch { throw Failure(error) }
    }

    private func serve(vpcd: String) async throws(SimulatedCardError) {
        let (console, address) = (options.console, try VirtualReaderAddress(parsing: vpcd))
        let card = try openCard()
        let server = try VirtualReaderServer(card: card, address: address) { event in
            console.note(Self.words(event, address: address))
        }
        try announce(card, at: "for the virtual reader at \(address)") { $0.vpcd = address.description }
        Interruption.shared.onFirstSignal { server.stop() }
        HandSignals.take(pull: { server.pull() }, insert: { server.insert() })
        await BlockingThread().run { server.run() }
    }

    private func serve(socket: String) async throws(SimulatedCardError) {
        let console = options.console
        let card = try openCard()
        let server = try CardSocketServer(card: card, path: socket) { event in
            console.note(Self.words(event))
        }
        try announce(card, at: "at the socket \(socket)") { $0.socket = socket }
        Interruption.shared.onFirstSignal { server.stop() }
        await BlockingThread().run { server.run() }
    }

    private func openCard() throws(SimulatedCardError) -> SimulatedCard {
        try SimulatedCard(path: file, signDuration: signMilliseconds.map { .milliseconds($0) })
    }

    /// The first line: where the card is.
    private func announce(
        _ card: SimulatedCard, at place: String, _ fill: (inout Answer) -> Void
    ) throws(SimulatedCardError) {
        let record = card.record
        var answer = Answer(file: file, ident: try record.ident, rootKey: try record.rootKey.description)
        fill(&answer)
        guard !options.isJSON else {
            JSONAnswer.write(answer)
            return
        }
        options.console.say("SIMULATED \(record.product.rawValue.uppercased()) \(answer.ident) \(place)")
    }

    private static func words(_ event: CardSocketEvent) -> String {
        switch event {
        case .connected: "A program lays the card down."
        case .disconnected: "The program is done."
        case .cardFailed(let error): "The card's file cannot be written: \(error.message)"
        }
    }

    private static func words(_ event: VirtualReaderEvent, address: VirtualReaderAddress) -> String {
        switch event {
        case .waiting(let reason): "The virtual reader at \(address) does not answer (\(reason)). Waiting for pcscd…"
        case .connected: "The card lies on the reader."
        case .lost(let reason): "The reader is gone (\(reason)). Waiting for it…"
        case .pulled: "The card is off the reader."
        case .cardFailed(let error): "The card's file cannot be written: \(error.message)"
        }
    }
}
