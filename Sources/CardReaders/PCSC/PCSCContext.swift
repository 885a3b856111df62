import CPCSC
import SmartCard

/// One connection to the PC/SC service. The client library serializes calls on one context, so every channel and every
/// wait has its own. Other threads may only call `cancel`.
final class PCSCContext: Sendable {
    /// The service's handle for this connection.
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

    /// Ends a status query that blocks another thread on this context, if there is one.
    func cancel() { SCardCancel(handle) }

    /// The names of the attached readers. An empty list is not an error.
    /// - Throws: `ReaderError`: `.readerGone` if the service ended, ….
    func readerNames() throws(ReaderError) -> [String] {
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
