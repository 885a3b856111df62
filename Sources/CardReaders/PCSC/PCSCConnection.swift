import CPCSC
import SmartCard

/// A card handle with the context it lives in; released with the last reference. One thread at a time may use it.
final class PCSCConnection: @unchecked Sendable {
    private static let shareMode = DWORD(SCARD_SHARE_SHARED)
    private static let protocols = DWORD(SCARD_PROTOCOL_T0 | SCARD_PROTOCOL_T1)
    /// Room for the longest response to an extended APDU: 65 536 bytes and a status word. The system allocates memory
    /// only for the part that is actually filled.
    private static let answerCapacity = 65_538

    let context: PCSCContext
    private let handle: SCARDHANDLE
    private var activeProtocol: DWORD
    private let answer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: answerCapacity)

    /// Connects to the card at a reader, in a context that no other connection uses.
    init(reader: String, in context: PCSCContext) throws(ReaderError) {
        self.context = context
        var handle = SCARDHANDLE()
        var activeProtocol = DWORD()
        let status = PCSCError.askingOnceMore {
            SCardConnect(context.handle, reader, Self.shareMode, Self.protocols, &handle, &activeProtocol)
        }
        guard status == SCARD_S_SUCCESS else {
            answer.deallocate()
            throw PCSCError.readerError(status, .opening, reader: reader)
        }
        self.handle = handle
        self.activeProtocol = activeProtocol
    }

    /// Leaves the card as it is: other programs may be using it.
    deinit {
        SCardDisconnect(handle, DWORD(SCARD_LEAVE_CARD))
        answer.deallocate()
    }

    /// Reconnects the handle after a reset or removal, without another reset.
    func reconnect() -> LONG {
        SCardReconnect(handle, Self.shareMode, Self.protocols, DWORD(SCARD_LEAVE_CARD), &activeProtocol)
    }

    /// Keeps other programs off the card; blocks while one of them does.
    func beginTransaction() -> LONG { SCardBeginTransaction(handle) }

    /// Lets other programs use the card again.
    func endTransaction() { SCardEndTransaction(handle, DWORD(SCARD_LEAVE_CARD)) }

    /// Sends a command.
    /// - Returns: the service's status, and the response: without bytes if the card was lost while answering.
    func transmit(_ command: [UInt8]) -> (status: LONG, response: [UInt8]) {
        var sendHeader = SCARD_IO_REQUEST(
            dwProtocol: activeProtocol, cbPciLength: UInt(MemoryLayout<SCARD_IO_REQUEST>.size))
        var length = DWORD(answer.count)
        let status = SCardTransmit(
            handle, &sendHeader, command, DWORD(command.count), nil, answer.baseAddress, &length)
        guard status == SCARD_S_SUCCESS else { return (status, []) }
        return (status, Array(answer.prefix(Int(clamping: length))))
    }
}
