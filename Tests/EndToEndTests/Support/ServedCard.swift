import Foundation
import TestSupport
import Testing

/// A workshop's card on a virtual reader of the real PC/SC service, for one test alone.
final class ServedCard: Sendable {
    private let slot: VirtualReaderSlot
    private let server: InteractiveProcess
    private let signMilliseconds: Int
    private let workshop: Workshop

    /// Lays the card on a free reader, waits until the service sees it, and takes it away at the end.
    /// - Parameter signMilliseconds: how long a signature takes, so that there is time to pull the card.
    static func lay(
        _ workshop: Workshop, signMilliseconds: Int = 0, _ body: @Sendable (ServedCard) async throws -> Void
    ) async throws {
        try await VirtualReaderSlot.withLease { slot in
            let card = try ServedCard(workshop, slot, signMilliseconds)
            try await workshop.tapkit("status", "--json", "--wait=60", environment: card.reader).succeeded()
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(card)) } catch { outcome = .failure(error) }
            try await card.server.stop()
            try outcome.get()
        }
    }

    private init(_ workshop: Workshop, _ slot: VirtualReaderSlot, _ signMilliseconds: Int) throws {
        self.slot = slot
        self.workshop = workshop
        self.signMilliseconds = signMilliseconds
        server = try Self.serve(workshop.cardFile, slot, signMilliseconds)
    }

    /// Selects the reader.
    var reader: [String: String?] { ["TAPKIT_READER": spec] }

    /// The reader as `--reader` names it.
    var spec: String { "pcsc:\(slot.readerName)" }

    /// Takes the card off the reader.
    func pull() { kill(server.identifier, SIGUSR1) }

    /// A hand's time between taking a card away and laying one down; the service overlooks shorter absences than 0.4 s.
    private static let handTime = Duration.milliseconds(800)

    /// Lays it back.
    func layBack() async throws {
        try await Task.sleep(for: Self.handTime)
        kill(server.identifier, SIGUSR2)
    }

    /// Lays another card on the same reader.
    func lay(_ other: Workshop) async throws -> InteractiveProcess {
        try await Task.sleep(for: Self.handTime)
        return try Self.serve(other.cardFile, slot, signMilliseconds)
    }

    /// Starts to sign a PSBT of 30 inputs, and waits until 25 signatures are there.
    func signingInTheMiddle(_ options: String...) async throws -> InteractiveProcess {
        try await workshop.writePSBT(inputs: 30)
        let arguments = ["sign", "tx.psbt", "--yes", "--json"] + options
        let signing = try InteractiveProcess(
            Subprocess.tapkit, arguments, environment: workshop.environment.merging(reader) { $1 },
            directory: workshop.folder.url)
        try await signing.errorText(contains: "Signed 25 of 30")
        return signing
    }

    private static func serve(
        _ file: String, _ slot: VirtualReaderSlot, _ signMilliseconds: Int
    ) throws -> InteractiveProcess {
        try InteractiveProcess(
            Subprocess.tapkit,
            ["sim", "serve", file, "--vpcd", "127.0.0.1:\(slot.port)", "--sign-ms", String(signMilliseconds)],
            environment: Workshop.nothing)
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
                isRunning && ContinuousClock.now < deadline, "No “\(text)” in: \(errorText)", sourceLocation: location)
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// The one JSON object on standard output.
    func json() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
}
