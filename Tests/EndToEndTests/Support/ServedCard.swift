import Foundation
import Synchronization
import TestSupport
import Testing

/// A workshop's card on a reader of one kind, for one test alone: `tapkit sim serve` runs beside the test.
final class ServedCard: Sendable {
    /// Where the card lies.
    private enum Place: Sendable {
        case slot(VirtualReaderSlot)
        /// The path of a chip's port.
        case port(String)
    }

    private let place: Place
    private let workshop: Workshop
    private let options: [String]
    private let server: Mutex<InteractiveProcess?>

    /// Lays the card on a free reader, waits until it is seen there, and takes it away at the end.
    /// - Parameters:
    ///   - signMilliseconds: how long a signature takes, so that there is time to pull the card.
    ///   - options: more options for `sim serve`. The wait for the card says nothing to it.
    @discardableResult
    static func lay<Value: Sendable>(
        _ workshop: Workshop, on kind: ReaderKind = .pcsc, signMilliseconds: Int = 0, serving options: [String] = [],
        _ body: @Sendable (ServedCard) async throws -> Value
    ) async throws -> Value {
        let options = options + ["--sign-ms", String(signMilliseconds)]
        switch kind {
        case .pcsc:
            return try await VirtualReaderSlot.withLease { slot in
                try await lend(ServedCard(workshop, .slot(slot), options)) { card in
                    try await slot.waitForCard()
                    return try await body(card)
                }
            }
        case .nfc:
            return try await lend(ServedCard(workshop, .port(workshop.folder.path("port")), options)) { card in
                try await card.process.line()
                return try await body(card)
            }
        }
    }

    private static func lend<Value: Sendable>(
        _ card: ServedCard, _ body: @Sendable (ServedCard) async throws -> Value
    ) async throws -> Value {
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await body(card)) } catch { outcome = .failure(error) }
        try await card.server.withLock { $0 }?.stop()
        return try outcome.get()
    }

    private init(_ workshop: Workshop, _ place: Place, _ options: [String]) throws {
        (self.place, self.workshop, self.options) = (place, workshop, options)
        server = Mutex(try Self.serve(workshop.cardFile, place, options))
    }

    /// Selects the reader.
    var reader: [String: String?] { ["TAPKIT_READER": spec] }

    /// The reader as `--reader` names it.
    var spec: String {
        switch place {
        case .slot(let slot): "pcsc:\(slot.readerName)"
        case .port(let path): "nfc:pn532_uart:\(path)"
        }
    }

    /// What the serving program has said on standard error.
    var diary: String { server.withLock { $0?.errorText ?? "" } }

    /// The serving program.
    private var process: InteractiveProcess { get throws { try #require(server.withLock { $0 }) } }

    /// Takes the card off the reader.
    func pull() throws { kill(try process.identifier, SIGUSR1) }

    /// A hand's time between taking a card away and laying one down; PC/SC overlooks shorter absences than 0.4 s.
    private static let handTime = Duration.milliseconds(800)

    /// Lays it back.
    func layBack() async throws {
        try await Task.sleep(for: Self.handTime)
        kill(try process.identifier, SIGUSR2)
    }

    /// Unplugs a chip: the program that serves it is killed, and its port is gone.
    func unplug() throws {
        guard case .port(let path) = place else { return }
        // First, so that nobody follows it to a port of the same number that another test makes.
        unlink(path)
        let process = try process
        kill(process.identifier, SIGKILL)
        while process.isRunning { usleep(1_000) }
        server.withLock { $0 = nil }
    }

    /// Plugs the chip in again, with the card on it.
    func plugIn() async throws {
        let new = try Self.serve(workshop.cardFile, place, options)
        server.withLock { $0 = new }
        try await new.line()
    }

    /// Starts `tapkit` on this reader, beside the test.
    func start(_ arguments: [String]) throws -> InteractiveProcess {
        try workshop.start(arguments, environment: reader)
    }

    /// Starts to sign a PSBT of 40 inputs, and does something to it as soon as 25 signatures are there.
    func signingInTheMiddle(
        _ options: String..., then act: @Sendable (InteractiveProcess) throws -> Void
    ) async throws -> InteractiveProcess {
        try await workshop.signingInTheMiddle(on: spec, options, then: act)
    }

    /// Starts `tapkit` on this reader, and does something to it as soon as its standard error is so far.
    func inTheMiddle(
        of arguments: [String], when isThere: @Sendable (String) -> Bool,
        then act: @Sendable (InteractiveProcess) throws -> Void
    ) async throws -> InteractiveProcess {
        try await workshop.inTheMiddle(of: arguments, on: spec, when: isThere, then: act)
    }

    private static func serve(_ file: String, _ place: Place, _ options: [String]) throws -> InteractiveProcess {
        let door =
            switch place {
            case .slot(let slot): ["--vpcd", "127.0.0.1:\(slot.port)"]
            case .port(let path): ["--pn532", "--pn532-link", path]
            }
        return try InteractiveProcess(
            Subprocess.tapkit, ["sim", "serve", file] + door + options, environment: Workshop.nothing)
    }
}

extension InteractiveProcess {
    /// Waits until standard error contains a text.
    func errorText(
        contains text: String, timeout: Duration = .seconds(60), at location: SourceLocation = #_sourceLocation
    ) async throws {
        let deadline = ContinuousClock.now + timeout
        while !errorText.contains(text) {
            try #require(
                isRunning && ContinuousClock.now < deadline, "No “\(text)” in: \(self.text)\(errorText)",
                sourceLocation: location)
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// The one JSON object on standard output.
    func json() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
}
