import ArgumentParser
import Glibc
import TapSimulator

/// `tapkit sim serve`: lays a simulated card on a virtual reader.
struct SimServeVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Lay a simulated card on a virtual reader, until Ctrl-C.",
        discussion: """
            With --vpcd the card lies on the virtual PC/SC reader of Debian's package vsmartcard-vpcd, for every program \
            that speaks PC/SC. pcscd may come and go. SIGUSR1 pulls the card off the reader, SIGUSR2 lays it back.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The card's file.")
    var file: String

    @Option(
        help: ArgumentHelp(
            "The virtual reader's address; its readers listen on 35963 and 35964.", valueName: "host:port"))
    var vpcd: String

    @Option(
        name: .customLong("sign-ms"),
        help: ArgumentHelp(
            "How much longer a signature takes than this machine needs for it; default: as the card was made.",
            valueName: "ms"))
    var signMilliseconds: Int?

    private struct Answer: Encodable {
        let file: String
        let vpcd: String
        let ident: String
        let rootKey: String
        let simulated = true
    }

    func run() async throws {
        guard (0...CardDelays.longest).contains(signMilliseconds ?? 0) else {
            throw Failure(.usage, "--sign-ms takes 0 to 60000 milliseconds.")
        }
        let server: VirtualReaderServer
        do throws(SimulatedCardError) { server = try makeServer() } catch { throw Failure(error) }
        Interruption.shared.onFirstSignal { server.stop() }
        HandSignals.take(pull: { server.pull() }, insert: { server.insert() })
        await BlockingThread().run { server.run() }
    }

    private func makeServer() throws(SimulatedCardError) -> VirtualReaderServer {
        let console = options.console
        let address = try VirtualReaderAddress(parsing: vpcd)
        let card = try SimulatedCard(path: file, signDuration: signMilliseconds.map { .milliseconds($0) })
        let record = card.record
        let answer = Answer(
            file: file, vpcd: address.description, ident: try record.ident, rootKey: try record.rootKey.description)
        let label = "SIMULATED \(record.product.rawValue.uppercased()) \(answer.ident)"
        if options.isJSON {
            JSONAnswer.write(answer)
        } else {
            console.say("\(label) for the virtual reader at \(address)")
        }
        return try VirtualReaderServer(card: card, address: address) { event in
            console.note(Self.words(event, address: address))
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
