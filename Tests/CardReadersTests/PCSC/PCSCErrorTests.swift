import CPCSC
import SmartCard
import Testing

@testable import CardReaders

@Suite struct PCSCErrorTests {
    /// A status code and what a person is told.
    struct Row: Sendable, CustomTestStringConvertible {
        let status: Int
        let stage: PCSCError.Stage
        let code: ReaderError.Code
        var hint = ""
        var isInstalled = true

        var testDescription: String { "\(String(status, radix: 16)) \(stage) \(code)" }
    }

    static let rows: [Row] = [
        Row(status: SCARD_E_NO_SERVICE, stage: .opening, code: .noService, hint: "pcscd.socket"),
        Row(status: SCARD_E_SERVICE_STOPPED, stage: .opening, code: .noService, hint: "pcscd.socket"),
        Row(status: SCARD_E_NO_SERVICE, stage: .opening, code: .noService, hint: "apt-get", isInstalled: false),
        Row(status: SCARD_E_SERVICE_STOPPED, stage: .opening, code: .noService, hint: "apt-get", isInstalled: false),
        Row(status: SCARD_E_NO_SERVICE, stage: .using, code: .readerGone, hint: "restart"),
        Row(status: SCARD_E_SERVICE_STOPPED, stage: .using, code: .readerGone, hint: "restart"),
        Row(status: SCARD_F_COMM_ERROR, stage: .using, code: .readerGone, hint: "restart"),
        Row(status: SCARD_E_INVALID_HANDLE, stage: .using, code: .readerGone, hint: "restart"),
        Row(status: SCARD_E_NO_READERS_AVAILABLE, stage: .opening, code: .noReader, hint: "plug"),
        Row(status: SCARD_E_UNKNOWN_READER, stage: .opening, code: .readerGone, hint: "plug"),
        Row(status: SCARD_E_READER_UNAVAILABLE, stage: .using, code: .readerGone, hint: "plug"),
        Row(status: SCARD_E_SHARING_VIOLATION, stage: .opening, code: .readerBusy, hint: "end it"),
        Row(status: SCARD_W_SECURITY_VIOLATION, stage: .using, code: .readerGone, hint: "restart"),
        Row(status: SCARD_W_SECURITY_VIOLATION, stage: .opening, code: .permissionDenied, hint: "access_pcsc"),
        Row(status: SCARD_W_SECURITY_VIOLATION, stage: .opening, code: .permissionDenied, hint: "access_card"),
        Row(status: SCARD_E_NO_SMARTCARD, stage: .opening, code: .noCard, hint: "lay the card"),
        Row(status: SCARD_W_REMOVED_CARD, stage: .opening, code: .noCard, hint: "lay the card"),
        Row(status: SCARD_E_NO_SMARTCARD, stage: .using, code: .cardRemoved, hint: "back"),
        Row(status: SCARD_W_REMOVED_CARD, stage: .using, code: .cardRemoved, hint: "back"),
        Row(status: SCARD_W_RESET_CARD, stage: .using, code: .cardReset, hint: "again"),
        Row(status: SCARD_W_UNRESPONSIVE_CARD, stage: .opening, code: .cardMute, hint: "flat"),
        Row(status: SCARD_W_UNPOWERED_CARD, stage: .opening, code: .cardMute, hint: "flat"),
        Row(status: SCARD_E_PROTO_MISMATCH, stage: .opening, code: .cardMute, hint: "contactless"),
        Row(status: SCARD_E_NOT_TRANSACTED, stage: .using, code: .transportFailed, hint: "flat"),
        Row(status: SCARD_E_TIMEOUT, stage: .using, code: .timedOut),
        Row(status: SCARD_E_CANCELLED, stage: .using, code: .cancelled),
        Row(status: SCARD_E_INSUFFICIENT_BUFFER, stage: .using, code: .transportFailed),
        Row(status: SCARD_F_INTERNAL_ERROR, stage: .using, code: .transportFailed, hint: "unplug"),
        Row(status: 0x8010_FFFF, stage: .opening, code: .transportFailed, hint: "unplug"),
        Row(status: -1, stage: .opening, code: .transportFailed, hint: "unplug"),
    ]

    @Test(arguments: rows)
    func everyCodeSaysWhatToDo(_ row: Row) {
        let error = PCSCError.readerError(
            LONG(row.status), row.stage, reader: "Reader 1", isInstalled: row.isInstalled)
        #expect(error.code == row.code)
        #expect(row.hint.isEmpty || error.hint.contains(row.hint))
        let digits = String(UInt32(truncatingIfNeeded: row.status), radix: 16, uppercase: true)
        #expect(error.message.contains("0x\(digits)"))
    }

    @Test func aReaderThatIsGoneIsNamed() {
        let error = PCSCError.readerError(LONG(SCARD_E_UNKNOWN_READER), .opening, reader: "OMNIKEY 5022")
        #expect(error.message.contains("\"OMNIKEY 5022\""))
    }
}
