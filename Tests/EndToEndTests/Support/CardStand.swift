import Foundation
import TapSimulator
import TestSupport

/// A reader on which the test's own hand lays one card and another.
final class CardStand: Sendable {
    /// The reader as `--reader` names it.
    let spec: String
    private let put: @Sendable (SimulatedCard) -> Void
    private let take: @Sendable () -> Void
    private let see: @Sendable () async throws -> Void

    /// Lends a reader with a card on it to the body, and takes whatever lies there away at the end.
    static func lend(_ kind: ReaderKind, with card: SimulatedCard, _ body: @Sendable (CardStand) async throws -> Void)
        async throws
    {
        switch kind {
        case .pcsc:
            try await VirtualReaderSlot.withLease { slot in
                let server = try VirtualReaderServer(
                    card: card, address: VirtualReaderAddress(parsing: "127.0.0.1:\(slot.port)"))
                let stand = CardStand(
                    "pcsc:\(slot.readerName)", { server.insert($0) }, { server.pull() },
                    { try await slot.waitForCard() })
                try await whileRunning({ server.run() }, stop: { server.stop() }) {
                    try await slot.waitForCard()
                    try await body(stand)
                }
            }
        case .nfc:
            let folder = try TemporaryFolder(inMemory: true)
            let server = try PN532Server(card: card, link: folder.path("port"))
            let stand = CardStand(
                "nfc:pn532_uart:\(folder.path("port"))", { server.insert($0) }, { server.pull() }, {})
            try await whileRunning({ server.run() }, stop: { server.stop() }) { try await body(stand) }
        }
    }

    private init(
        _ spec: String, _ put: @escaping @Sendable (SimulatedCard) -> Void, _ take: @escaping @Sendable () -> Void,
        _ see: @escaping @Sendable () async throws -> Void
    ) { (self.spec, self.put, self.take, self.see) = (spec, put, take, see) }

    /// Takes the card off the reader.
    func pull() { take() }

    /// Lays a card on the reader, a hand's time after the one before was taken away.
    func lay(_ card: SimulatedCard) async throws {
        try await Task.sleep(for: .milliseconds(800))
        put(card)
    }

    /// Waits until the PC/SC service sees the card that was laid down; without one, whoever looks sees it.
    func waitUntilSeen() async throws { try await see() }

    /// On a thread that needs no turn among the tests' tasks: the programs that are tested do not wait for it.
    private static func whileRunning(
        _ run: @escaping @Sendable () -> Void, stop: () -> Void, _ body: () async throws -> Void
    ) async throws {
        let (end, ended) = AsyncStream<Never>.makeStream()
        Thread.detachNewThread {
            run()
            ended.finish()
        }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        stop()
        for await _ in end {}
        try outcome.get()
    }
}
