import Foundation

/// One of the two virtual readers, for one test alone.
public struct VirtualReaderSlot: Sendable {
    /// The TCP port, on the loopback interface, that a card connects to.
    public let port: UInt16
    /// The reader's name in PC/SC.
    public let readerName: String

    private let lock: FileLock

    /// Waits for a free reader with no card on it; starts the PC/SC service if need be.
    ///
    /// Tests queue up here, those of other processes too. The reader is free again when the last copy of the slot is
    /// gone; `withLease` is the safe way.
    /// - Throws: `PCSCDaemon.Unavailable`.
    public static func lease() async throws -> Self {
        let readers = try await PCSCDaemon.virtualReaders()
        let ports: [UInt16] = [35963, 35964]
        while true {
            for (port, readerName) in zip(ports, readers) {
                let lock = try FileLock("slot-\(port)")
                if lock.takeIfFree() {
                    try await waitUntilEmpty(readerName)
                    return Self(port: port, readerName: readerName, lock: lock)
                }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Runs the body with a reader of its own.
    /// - Throws: what the body throws; `PCSCDaemon.Unavailable`.
    public static func withLease<Result: Sendable>(
        _ body: @Sendable (Self) async throws -> Result
    ) async throws -> Result {
        let slot = try await lease()
        defer { withExtendedLifetime(slot.lock) {} }
        return try await body(slot)
    }

    /// The service needs a moment to notice that the card of the test before is gone.
    private static func waitUntilEmpty(_ reader: String) async throws {
        for _ in 0..<100 {
            if await BlockingThread.run({ PCSCProbe.isEmpty(reader) }) { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw PCSCDaemon.Unavailable(description: "A card that no test put there lies on \(reader).")
    }
}
