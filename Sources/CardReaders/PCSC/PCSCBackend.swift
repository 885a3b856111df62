import CPCSC
import SmartCard
import Threads

/// The readers of the PC/SC service (pcscd).
///
/// `readers` blocks for as long as the service takes to answer, normally a millisecond.
public struct PCSCBackend: Sendable {
    /// The service of this machine; nothing is opened yet.
    public init() {}

    /// The readers that are attached now, in the service's order; none is no error.
    /// - Throws: `ReaderError`: `.noService` when the service does not run or is not installed, `.permissionDenied`.
    public func readers() throws(ReaderError) -> [PCSCReader] {
        try PCSCContext().readerNames().map(PCSCReader.init)
    }

    /// What happens at the readers, until the stream is ended: first what is there now, then every change.
    ///
    /// The service may end and come back meanwhile: all readers are detached, then attached again. It is watched on a
    /// thread of its own.
    public func events() -> AsyncStream<ReaderEvent> {
        AsyncStream { continuation in
            let wait = PCSCWait()
            let watch = PCSCWatch()
            continuation.onTermination = { _ in wait.cancel() }
            let hasStarted = DetachedThread.run { watch.run(until: wait) { continuation.yield($0) } }
            if !hasStarted { continuation.finish() }
        }
    }

    /// The error for somebody who needs a reader when none is attached.
    public static var noReader: ReaderError {
        PCSCError.readerError(LONG(SCARD_E_NO_READERS_AVAILABLE), .opening)
    }
}
