import CPCSC

/// Another program's line to a card, shared with whoever comes, which notices when somebody resets the card.
public final class HeldCard: Sendable {
    /// The service refused; its status code.
    public struct Refused: Error { let status: LONG }

    private let context: SCARDCONTEXT
    private let handle: SCARDHANDLE

    /// Connects; blocks for a moment.
    /// - Throws: `Refused`.
    public init(reader: String) throws {
        var context = SCARDCONTEXT()
        var status = SCardEstablishContext(DWORD(SCARD_SCOPE_SYSTEM), nil, nil, &context)
        guard status == SCARD_S_SUCCESS else { throw Refused(status: status) }
        var (handle, chosen) = (SCARDHANDLE(), DWORD())
        status = SCardConnect(
            context, reader, DWORD(SCARD_SHARE_SHARED), DWORD(SCARD_PROTOCOL_T0 | SCARD_PROTOCOL_T1), &handle, &chosen)
        guard status == SCARD_S_SUCCESS else {
            SCardReleaseContext(context)
            throw Refused(status: status)
        }
        (self.context, self.handle) = (context, handle)
    }

    deinit {
        SCardDisconnect(handle, DWORD(SCARD_LEAVE_CARD))
        SCardReleaseContext(context)
    }

    /// Whether the card was reset, or lost, since it is held.
    public var isDisturbed: Bool {
        var (length, state, chosen, atrLength) = (DWORD(), DWORD(), DWORD(), DWORD())
        return SCardStatus(handle, nil, &length, &state, &chosen, nil, &atrLength) != SCARD_S_SUCCESS
    }
}
