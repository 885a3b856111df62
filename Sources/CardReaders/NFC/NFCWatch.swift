import SmartCard
import Threads

/// Watches one NFC reader and reports events. It keeps the device for this process meanwhile.
struct NFCWatch: Sendable {
    /// The time between two tries to open a device that is missing or used by another program.
    private static let pauseBetweenTries = Duration.seconds(1)

    private let port: NFCPort
    init(_ connection: NFCConnectionString) { port = .shared(connection) }

    /// What is known, and has been reported, of the reader.
    private struct Known {
        var isAttached = false
        var isCardPresent = false
        var losses = 0
    }

    /// Watches until `wait` is cancelled; blocks its thread.
    func run(until wait: NFCWait, tell: (ReaderEvent) -> Void) {
        port.enter()
        defer { port.leave() }
        var known = Known()
        while !wait.isCancelled {
            do throws(ReaderError) {
                try look(&known, tell)
                wait.pause()
            } catch {
                forget(&known, tell)
                wait.pause(for: Self.pauseBetweenTries)
            }
        }
    }

    private func look(_ known: inout Known, _ tell: (ReaderEvent) -> Void) throws(ReaderError) {
        // A channel notices for itself when its card leaves; a look between its commands would only get in the way.
        guard !known.isAttached || !port.hasChannel else { return }
        let reader = NFCReader(port.connection)
        let isPresent = try port.isCardPresent(awaiting: known.isAttached && !known.isCardPresent)
        let losses = port.losses
        if !known.isAttached { tell(.readerAttached(reader)) }
        if known.isCardPresent, !isPresent || losses != known.losses {
            tell(.cardRemoved(reader))
            known.isCardPresent = false
        }
        if isPresent, !known.isCardPresent { tell(.cardInserted(reader)) }
        known = Known(isAttached: true, isCardPresent: isPresent, losses: losses)
    }

    private func forget(_ known: inout Known, _ tell: (ReaderEvent) -> Void) {
        let reader = NFCReader(port.connection)
        if known.isCardPresent { tell(.cardRemoved(reader)) }
        if known.isAttached { tell(.readerDetached(reader)) }
        known = Known()
    }
}

extension NFCReader {
    /// Events at this reader, until the stream is ended: first the present state, then every change.
    ///
    /// This process keeps the device meanwhile. A reader that is unplugged, or used by another program, counts as
    /// detached until it is available.
    public func events() -> AsyncStream<ReaderEvent> {
        AsyncStream { continuation in
            let wait = NFCWait()
            let watch = NFCWatch(connection)
            continuation.onTermination = { _ in wait.cancel() }
            let hasStarted = DetachedThread.run { watch.run(until: wait) { continuation.yield($0) } }
            if !hasStarted { continuation.finish() }
        }
    }
}
