import ArgumentParser
import Glibc
import TapSimulator

/// `tapkit sim serve`: makes a simulated card available to other programs.
struct SimServeVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Make a simulated card available to other programs, until Ctrl-C.",
        discussion: """
            With --vpcd the card is on the virtual PC/SC reader of Debian's package vsmartcard-vpcd, for every program \
            that uses PC/SC. pcscd may be restarted. SIGUSR1 removes the card from the reader, SIGUSR2 puts it back.

            With --socket it answers at a Unix socket like the maker's emulator: one CBOR map for each request and \
            answer. Programs are served one after the other; each finds a card that was just put on the reader.

            With --pn532 it is on a simulated PN532 chip with its own serial port, for every program that uses libnfc; \
            the port's path is at the end of the first line. SIGUSR1 removes the card from the chip, SIGUSR2 puts it \
            back.

            With --usb it is on a USB reader in a virtual machine: QEMU's usb-redir at a Unix socket. The reader is \
            plugged in while this command runs. SIGUSR1 removes the card from the reader, SIGUSR2 puts it back.

            With --pull-at the card is removed automatically, and with --back-after put back, to test the programs \
            above.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The card's file.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp(
            "The virtual reader's address; its readers listen on 35963 and 35964.", valueName: "host:port"))
    var vpcd: String?

    @Option(
        help: ArgumentHelp("The socket's path; a stale socket is replaced.", valueName: "path"),
        completion: .file())
    var socket: String?

    @Flag(
        name: .customLong("pn532"),
        help: "A simulated PN532 chip on a pseudo-terminal; its path is in the first line.")
    var pn532 = false

    @Option(
        name: .customLong("pn532-link"),
        help: ArgumentHelp("Create a symbolic link to the chip's port; it is removed at the end.", valueName: "path"),
        completion: .file())
    var pn532Link: String?

    @Option(
        name: .customLong("pn532-fault"),
        help: ArgumentHelp(
            "A fault of the chip at the Nth exchange with the card: silence, checksum, truncation or error.",
            valueName: "kind:n"))
    var pn532Fault: String?

    @Option(
        help: ArgumentHelp(
            "A USB reader (one of \(USBReaderModel.allCases.map(\.rawValue).joined(separator: ", "))) and the socket of usbredir, which is made if nothing listens there.",
            valueName: "model=path"))
    var usb: String?

    @Option(
        name: .customLong("usb-fault"),
        help: ArgumentHelp(
            """
            A fault of the USB reader: stall, short, garbled, silence, mute or unplug at the Nth exchange with the \
            card, or mute-power the Nth time that the card is powered.
            """,
            valueName: "kind:n"))
    var usbFault: String?

    @Option(
        name: .customLong("pull-at"),
        help: ArgumentHelp(
            "Remove the card at its Nth exchange, including SELECT: N:before it receives the command, or N:after it has run it.",
            valueName: "n:moment"))
    var pullAt: String?

    @Option(
        name: .customLong("back-after"),
        help: ArgumentHelp("Put the card back this long after --pull-at; otherwise SIGUSR2 does.", valueName: "ms"))
    var backAfter: Int?

    @Option(
        name: .customLong("sign-ms"),
        help: ArgumentHelp(
            "Extra time that a signature takes, in milliseconds; default: as the card was created.",
            valueName: "ms"))
    var signMilliseconds: Int?

    struct Answer: Encodable {
        let file: String
        var vpcd: String?
        var socket: String?
        var usb: String?
        var pn532: String?
        var pn532Link: String?
        var reader: String?
        let ident: String
        let rootKey: String
        let simulated = true
    }

    func validate() throws {
        guard [vpcd != nil, socket != nil, usb != nil, pn532].filter({ $0 }).count == 1 else {
            throw ValidationError(
                "Choose where to put the card: --vpcd HOST:PORT, --socket PATH, --usb MODEL=PATH or --pn532.")
        }
        guard usb != nil || usbFault == nil else { throw ValidationError("--usb-fault needs --usb.") }
        guard pn532 || pn532Link == nil && pn532Fault == nil else {
            throw ValidationError("--pn532-link and --pn532-fault need --pn532.")
        }
        guard socket == nil || pullAt == nil else { throw ValidationError("--pull-at needs --vpcd, --usb or --pn532.") }
        guard pullAt != nil || backAfter == nil else { throw ValidationError("--back-after needs --pull-at.") }
    }

    func run() async throws {
        guard (0...CardDelays.longest).contains(signMilliseconds ?? 0) else {
            throw Failure(.usage, "--sign-ms takes 0 to 60000 milliseconds.")
        }
        let (fault, pull, reader) = (try chipFault(), try plannedPull(), try usbReader())
        let readerFault = try readerFault()
        if let vpcd { try await serve(vpcd: vpcd, pull: pull) }
        if let socket { try await serve(socket: socket) }
        if let reader { try await serve(usb: reader, fault: readerFault, pull: pull) }
        if pn532 { try await servePN532(fault: fault, pull: pull) }
    }

    /// The card, with the requested delays.
    func openCard() throws(SimulatedCardError) -> SimulatedCard {
        try SimulatedCard(path: file, signDuration: signMilliseconds.map { .milliseconds($0) })
    }

    /// Prints the first line: where the card is.
    func announce(
        _ card: SimulatedCard, at place: String, _ fill: (inout Answer) -> Void
    ) throws(SimulatedCardError) {
        let record = card.record
        var answer = Answer(file: file, ident: try record.ident, rootKey: try record.rootKey.description)
        fill(&answer)
        options.console.answer(
            answer, ["\(SimulatedMark.text)\(record.product.rawValue.uppercased()) \(answer.ident) \(place)"])
    }
}
