import CPCSC
import SmartCard
import Synchronization

/// One connection to the PC/SC service. The client library serializes calls on one context, so every channel and every
/// wait has its own. Other threads may only call `cancel`.
///
/// A service that hangs, as while it is stopped, accepts connections and never answers; so there are time limits.
final class PCSCContext: Sendable {
    /// What calls that concern no reader are known by.
    private static let service = ""

    /// The service's handle for this connection.
    let handle: SCARDCONTEXT
    private let patience: Duration
    /// Whether a call that has not ended has the connection: releasing it would wait behind the call.
    private let isLeftBehind = Atomic<Bool>(false)

    /// Connects to the service.
    /// - Parameter patience: the time limit for this, and for listing readers.
    /// - Throws: `ReaderError`: `.noService`, `.permissionDenied`, ….
    init(within patience: Duration = .seconds(20)) throws(ReaderError) {
        try Self.requireAnswering(within: patience)
        let opened = try Self.answer(within: patience) {
            var handle = SCARDCONTEXT()
            let status = PCSCError.askingOnceMore {
                SCardEstablishContext(DWORD(SCARD_SCOPE_SYSTEM), nil, nil, &handle)
            }
            return (status: status, handle: handle)
        }
        guard opened.status == SCARD_S_SUCCESS else { throw PCSCError.readerError(opened.status, .opening) }
        (handle, self.patience) = (opened.handle, patience)
        ReaderWork.begin()
    }

    deinit {
        if !isLeftBehind.load(ordering: .acquiring) { SCardReleaseContext(handle) }
        ReaderWork.end()
    }

    /// Confirms that no other call waits for the service: another one would only wait behind it.
    private static func requireAnswering(within patience: Duration) throws(ReaderError) {
        guard !PCSCCall.isStuck(at: service, after: patience) else { throw PCSCError.silentService(for: patience) }
    }

    /// What the service answers to a call.
    private static func answer<Answer: Sendable>(
        within patience: Duration, to call: @escaping @Sendable () -> Answer
    ) throws(ReaderError) -> Answer {
        guard let answer = PCSCCall.result(at: service, within: patience, of: call) else {
            throw PCSCError.silentService(for: patience)
        }
        return answer
    }

    /// Ends a status query that blocks another thread on this context, if there is one.
    func cancel() { SCardCancel(handle) }

    /// The names of the attached readers. An empty list is not an error.
    /// - Throws: `ReaderError`: `.readerGone` if the service ended, ….
    func readerNames() throws(ReaderError) -> [String] {
        try Self.requireAnswering(within: patience)
        let listed: Result<[String], ReaderError>
        do throws(ReaderError) {
            listed = try Self.answer(within: patience) { [handle] in
                Result { () throws(ReaderError) in try Self.readerNames(handle) }
            }
        } catch {
            isLeftBehind.store(true, ordering: .releasing)
            throw error
        }
        return try listed.get()
    }

    private static func readerNames(_ handle: SCARDCONTEXT) throws(ReaderError) -> [String] {
        // A reader may arrive between asking for the length and asking for the names; the buffer is then too small.
        for _ in 0..<8 {
            var length = DWORD()
            var status = SCardListReaders(handle, nil, nil, &length)
            var names = [CChar](repeating: 0, count: Int(clamping: length))
            if status == SCARD_S_SUCCESS { status = SCardListReaders(handle, nil, &names, &length) }
            switch Int(status) {
            case SCARD_S_SUCCESS:
                return names.prefix(Int(clamping: length)).split(separator: 0)
                    .map { String(decoding: $0.lazy.map(UInt8.init(bitPattern:)), as: UTF8.self) }
            case SCARD_E_NO_READERS_AVAILABLE: return []
            case SCARD_E_INSUFFICIENT_BUFFER: continue
            default: throw PCSCError.readerError(status, .using)
            }
        }
        throw PCSCError.readerError(SCARD_E_INSUFFICIENT_BUFFER, .using)
    }
}
