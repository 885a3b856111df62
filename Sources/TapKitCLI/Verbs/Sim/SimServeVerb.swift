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

            With --pn532 it lies on a PN532 chip at a serial port of its own, for every program that uses libnfc; the \
            port's path ends the first line printed. SIGUSR1 pulls the card off the chip, SIGUSR2 lays it back.

            With --pull-at the card is pulled by itself, and with --back-after laid back: for tests of the programs above.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The card's file.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp(
            "The virtual reader's address; its readers listen on 35963 and 35964.", valueName: "host:port"))
    var vpcd: String?

    @Option(
        help: ArgumentHelp("Where the socket shall be; a stale one is replaced.", valueName: "path"),
        completion: .file())
    var socket: String?

    @Flag(name: .customLong("pn532"), help: "A PN532 chip at a pseudo-terminal, whose path is in the first line.")
    var pn532 = false

    @Option(
        name: .customLong("pn532-link"),
        help: ArgumentHelp("A symbolic link to the chip's port, removed at the end.", valueName: "path"),
        completion: .file())
    var pn532Link: String?

    @Option(
        name: .customLong("pn532-fault"),
        help: ArgumentHelp(
            "What the chip does wrong at the Nth exchange with the card: silence, checksum, truncation or error.",
            valueName: "kind:n"))
    var pn532Fault: String?

    @Option(
        name: .customLong("pull-at"),
        help: ArgumentHelp(
            "Pull the card at its Nth exchange, SELECT included: N:before it hears the command, or N:after it acted.",
            valueName: "n:moment"))
    var pullAt: String?

    @Option(
        name: .customLong("back-after"),
        help: ArgumentHelp("Lay it back so long after --pull-at; otherwise SIGUSR2 does.", valueName: "ms"))
    var backAfter: Int?

    @Option(
        name: .customLong("sign-ms"),
        help: ArgumentHelp(
            "How much longer a signature takes than this machine needs for it; default: as the card was made.",
            valueName: "ms"))
    var signMilliseconds: Int?

    struct Answer: Encodable {
        let file: String
        var vpcd: String?
        var socket: String?
        var pn532: String?
        var pn532Link: String?
        var reader: String?
        let ident: String
        let rootKey: String
        let simulated = true
    }

    func validate() throws {
        guard [vpcd != nil, socket != nil, pn532].filter({ $0 }).count == 1 else {
            throw ValidationError("Say where the card shall be: --vpcd HOST:PORT, --socket PATH or --pn532.")
        }
        guard pn532 || pn532Link == nil && pn532Fault == nil else {
            throw ValidationError("--pn532-link and --pn532-fault go with --pn532.")
        }
        guard socket == nil || pullAt == nil else { throw ValidationError("--pull-at goes with --vpcd or --pn532.") }
        guard pullAt != nil || backAfter == nil else { throw ValidationError("--back-after goes with --pull-at.") }
    }

    func run() async throws {
        guard (0...CardDelays.longest).contains(signMilliseconds ?? 0) else {
            throw Failure(.usage, "--sign-ms takes 0 to 60000 milliseconds.")
        }
        let (fault, pull) = (try chipFault(), try plannedPull())
        if let vpcd { try await serve(vpcd: vpcd, pull: pull) }
        if let socket { try await serve(socket: socket) }
        if pn532 { try await servePN532(fault: fault, pull: pull) }
    }

    /// The card, with the delays that were asked for.
    func openCard() throws(SimulatedCardError) -> SimulatedCard {
        try SimulatedCard(path: file, signDuration: signMilliseconds.map { .milliseconds($0) })
    }

    /// The first line: where the card is.
    func announce(
        _ card: SimulatedCard, at place: String, _ fill: (inout Answer) -> Void
    ) throws(SimulatedCardError) {
        let record = card.record
        var answer = Answer(file: file, ident: try record.ident, rootKey: try record.rootKey.description)
        fill(&answer)
        options.console.answer(
            answer, ["SIMULATED \(record.product.rawValue.uppercased()) \(answer.ident) \(place)"])
    }
}
