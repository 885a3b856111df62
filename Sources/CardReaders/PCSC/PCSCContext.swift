import CPCSC
import SmartCard

/// One connection to the PC/SC service. Calls on one context wait for each other in the client library, so every
/// channel and every wait has its own; only `cancel` is for other threads.
final class PCSCContext: Sendable {
    /// The service's name for this connection.
    let handle: SCARDCONTEXT

    /// Connects to the service.
    /// - Throws: `ReaderError`: `.noService`, `.permissionDenied`, ….
    init() throws(ReaderError) {
        var handle = SCARDCONTEXT()
        let status = PCSCError.askingOnceMore {
            SCardEstablishContext(DWORD(SCARD_SCOPE_SYSTEM), nil, nil, &handle)
        }
        guard status == SCARD_S_SUCCESS else { throw PCSCError.readerError(status, .opening) }
        self.handle = handle
        ReaderWork.begin()
    }

    deinit {
        SCardReleaseContext(handle)
        ReaderWork.end()
    }

    /// Ends the status query that blocks on this context in another thread, if one does.
    func cancel() { SCardCancel(handle) }

    /// The names of the attached readers; none is no error.
    /// - Throws: `ReaderError`: `.readerGone` when the service ended, ….
    func readerNames() throws(ReaderError) -> [String] {
        // A reader may come between asking for the length and asking for the names: then the buffer is too small.
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
