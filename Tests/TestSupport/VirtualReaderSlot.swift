import Foundation

/// One of the two virtual readers, for one test alone.
public struct VirtualReaderSlot: Sendable {
    /// The virtual readers' ports, slot 0 first.
    static let ports: [UInt16] = [35963, 35964]

    /// The TCP port, on the loopback interface, that a card connects to.
    public let port: UInt16
    /// The reader's name in PC/SC.
    public let readerName: String

    /// Runs the body with a free reader with no card on it; starts the PC/SC service if need be.
    ///
    /// Tests queue up here, those of other processes too. The body must take its card away at its end.
    /// - Throws: what the body throws; `PCSCDaemon.Unavailable`.
    public static func withLease<Result: Sendable>(
        _ body: @Sendable (Self) async throws -> Result
    ) async throws -> Result {
        let readers = try await PCSCDaemon.virtualReaders()
        while true {
            for (port, readerName) in zip(ports, readers) {
                let lock = try FileLock("slot-\(port)")
                guard lock.takeIfFree() else { continue }
                try await waitUntilEmpty(readerName, wasLeftInDisorder: lock.note)
                lock.note = true
                defer { lock.note = false }
                return try await body(Self(port: port, readerName: readerName))
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Waits until the service sees that a card lies on the reader; says nothing to the card.
    /// - Throws: `PCSCDaemon.Unavailable` when it does not within 20 seconds.
    public func waitForCard() async throws {
        for _ in 0..<400 {
            if await BlockingThread.run({ PCSCProbe.hasCard(readerName) }) { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw PCSCDaemon.Unavailable(description: "The service sees no card on \(readerName).")
    }

    /// The service needs a moment to notice that the card of the test before is gone. A busy one, or one whose card was
    /// torn away with its program, calls the reader empty too early, and would miss a card that came at once.
    private static func waitUntilEmpty(_ reader: String, wasLeftInDisorder: Bool) async throws {
        try await Task.sleep(for: wasLeftInDisorder ? .seconds(2) : .milliseconds(500))
        for _ in 0..<100 {
            if await BlockingThread.run({ PCSCProbe.isEmpty(reader) }) { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw PCSCDaemon.Unavailable(description: "A card that no test put there lies on \(reader).")
    }
}
