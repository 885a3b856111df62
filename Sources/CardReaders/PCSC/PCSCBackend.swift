import CPCSC
import ExplainedErrors
import SmartCard
import Threads

/// The readers of the PC/SC service (pcscd): all of them, or those whose name contains a text.
///
/// `readers` blocks for as long as the service takes to answer, normally a millisecond.
public struct PCSCBackend: ReaderBackend {
    /// What a reader's name must contain, case ignored; `nil`: any reader will do.
    package let nameFilter: String?

    /// The service of this machine; nothing is opened yet.
    public init(nameContains filter: String? = nil) { nameFilter = filter }

    /// The readers that are attached now, in the service's order; none is no error.
    /// - Throws: `ReaderError`: `.noService` when the service does not run or is not installed, `.permissionDenied`.
    public func readers() throws(ReaderError) -> [any CardReader] { try attachedReaders() }

    /// The same, as the readers that they are.
    public func attachedReaders() throws(ReaderError) -> [PCSCReader] {
        try PCSCContext().readerNames().map(PCSCReader.init).filter { isMeant($0.name) }
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
            let hasStarted = DetachedThread.run {
                watch.run(until: wait) { if isMeant($0.reader.name) { continuation.yield($0) } }
            }
            if !hasStarted { continuation.finish() }
        }
    }

    /// No reader is attached, or none has the name.
    public var noReader: any ExplainedError {
        guard let nameFilter else { return PCSCError.readerError(LONG(SCARD_E_NO_READERS_AVAILABLE), .opening) }
        return ReaderError(
            .noReader, "No PC/SC reader has “\(nameFilter)” in its name.", subject: .reader("pcsc:\(nameFilter)"))
    }

    private func isMeant(_ name: String) -> Bool {
        guard let nameFilter else { return true }
        return name.lowercased().contains(nameFilter.lowercased())
    }
}
