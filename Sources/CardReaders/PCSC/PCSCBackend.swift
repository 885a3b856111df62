import CPCSC
import ExplainedErrors
import SmartCard
import Threads

/// The readers of the PC/SC service (pcscd): all of them, or those whose name contains a given text.
///
/// Some readers, such as the ACR1252U, also have a slot inside for a secure access module (SAM). The service lists it
/// as a reader of its own, before or after the other; nobody can put a card there, so it counts only if the text names
/// it.
///
/// `readers` blocks until the service answers, normally a millisecond.
public struct PCSCBackend: ReaderBackend {
    /// What a reader's name must contain, ignoring case; `nil` means any reader.
    package let nameFilter: String?

    /// Uses the service of this machine; opens nothing yet.
    public init(nameContains filter: String? = nil) { nameFilter = filter }

    /// The readers attached now, in the service's order. An empty list is not an error.
    /// - Throws: `ReaderError`: `.noService` if the service is not running or not installed, `.permissionDenied`.
    public func readers() throws(ReaderError) -> [any CardReader] { try attachedReaders() }

    /// The same readers, with their concrete type.
    public func attachedReaders() throws(ReaderError) -> [PCSCReader] {
        try Self.listedReaders().filter { isMeant($0.name) }
    }

    /// Everything that the service lists, slots for modules too.
    package static func listedReaders() throws(ReaderError) -> [PCSCReader] {
        try PCSCContext().readerNames().map(PCSCReader.init)
    }

    /// Reader and card events, until the stream is ended: first the present state, then every change.
    ///
    /// If the service ends and comes back, all readers are detached, then attached again. It is watched on a thread of
    /// its own.
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

    /// The error for when no reader is attached, or none has the name.
    public var noReader: any ExplainedError {
        guard let nameFilter else { return PCSCError.readerError(LONG(SCARD_E_NO_READERS_AVAILABLE), .opening) }
        return ReaderError(
            .noReader, "No PC/SC reader has a name containing “\(nameFilter)”.",
            subject: .reader(.unlisted("pcsc:\(nameFilter)")))
    }

    private func isMeant(_ name: String) -> Bool { Self.isMeant(name, by: nameFilter) }

    /// Whether a text, `nil` for any reader, means the reader with this name.
    package static func isMeant(_ name: String, by filter: String?) -> Bool {
        guard let filter else { return !isModuleSlot(name) }
        return name.lowercased().contains(filter.lowercased())
            && (!isModuleSlot(name) || isModuleSlot(filter.uppercased()))
    }

    /// Whether a name says that it is a slot for a module: the manufacturers call it SAM.
    private static func isModuleSlot(_ name: String) -> Bool {
        name.split { !$0.isLetter && !$0.isNumber }.contains("SAM")
    }
}
