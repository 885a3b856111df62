import CPCSC
import SmartCard

/// A card handle with the context it lives in; released with the last reference.
final class PCSCConnection {
    private static let shareMode = DWORD(SCARD_SHARE_SHARED)
    private static let protocols = DWORD(SCARD_PROTOCOL_T0 | SCARD_PROTOCOL_T1)

    let context: PCSCContext
    let handle: SCARDHANDLE
    private(set) var activeProtocol: DWORD

    /// Connects to the card at a reader, in a context that no other connection uses.
    init(reader: String, in context: PCSCContext) throws(ReaderError) {
        self.context = context
        var handle = SCARDHANDLE()
        var activeProtocol = DWORD()
        let status = PCSCError.askingOnceMore {
            SCardConnect(context.handle, reader, Self.shareMode, Self.protocols, &handle, &activeProtocol)
        }
        guard status == SCARD_S_SUCCESS else { throw PCSCError.readerError(status, .opening, reader: reader) }
        self.handle = handle
        self.activeProtocol = activeProtocol
    }

    /// Leaves the card as it is: other programs may be using it.
    deinit { SCardDisconnect(handle, DWORD(SCARD_LEAVE_CARD)) }

    /// Reconnects the handle after a reset or removal, without another reset.
    func reconnect() -> LONG {
        SCardReconnect(handle, Self.shareMode, Self.protocols, DWORD(SCARD_LEAVE_CARD), &activeProtocol)
    }
}
