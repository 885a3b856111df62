import SmartCard
import Threads

/// Watches one NFC reader and tells what happens. It has the device for this process meanwhile.
struct NFCWatch: Sendable {
    /// Between two tries to open a device that is not there, or in another program's hands.
    private static let pauseBetweenTries = Duration.seconds(1)

    private let port: NFCPort
    init(_ connection: NFCConnectionString) { port = .shared(connection) }

    /// What is known, and told, of the reader.
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
        // A channel notices for itself when its card goes; a look between its commands would only be in its way.
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
    /// What happens at this reader, until the stream is ended: first what is there now, then every change.
    ///
    /// The device is this process's meanwhile; a reader that is unplugged, or in another program's hands, counts as
    /// detached until it can be had.
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
