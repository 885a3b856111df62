import CPCSC
import ExplainedErrors
import SmartCard
import Testing

@testable import CardReaders

@Suite struct PCSCErrorTests {
    /// A status code and what a person is told.
    struct Row: Sendable, CustomTestStringConvertible {
        let status: Int
        let stage: PCSCError.Stage
        let kind: ReaderError.Kind
        var hint = ""
        var isInstalled = true
        /// What the remedy is about, if it is more than the reader or the card.
        var subject: ErrorSubject.Reader?

        var testDescription: String { "\(String(status, radix: 16)) \(stage) \(kind)" }
    }

    static let rows: [Row] = [
        Row(
            status: SCARD_E_NO_SERVICE, stage: .opening, kind: .noService, hint: "Start the service", subject: .service),
        Row(
            status: SCARD_E_SERVICE_STOPPED, stage: .opening, kind: .noService, hint: "Start the service",
            subject: .service),
        Row(
            status: SCARD_E_NO_SERVICE, stage: .opening, kind: .noService, hint: "Install", isInstalled: false,
            subject: .missingService),
        Row(
            status: SCARD_E_SERVICE_STOPPED, stage: .opening, kind: .noService, hint: "Install", isInstalled: false,
            subject: .missingService),
        Row(status: SCARD_E_NO_SERVICE, stage: .using, kind: .readerGone, hint: "Start it again", subject: .service),
        Row(
            status: SCARD_E_SERVICE_STOPPED, stage: .using, kind: .readerGone, hint: "Start it again", subject: .service
        ),
        Row(status: SCARD_F_COMM_ERROR, stage: .using, kind: .readerGone, hint: "Start it again", subject: .service),
        Row(
            status: SCARD_E_INVALID_HANDLE, stage: .using, kind: .readerGone, hint: "Start it again", subject: .service),
        Row(status: SCARD_E_NO_READERS_AVAILABLE, stage: .opening, kind: .noReader, hint: "plug", subject: .service),
        Row(status: SCARD_E_UNKNOWN_READER, stage: .opening, kind: .readerGone, hint: "plug"),
        Row(status: SCARD_E_READER_UNAVAILABLE, stage: .using, kind: .readerGone, hint: "plug"),
        Row(status: SCARD_E_SHARING_VIOLATION, stage: .opening, kind: .readerBusy, hint: "Close it"),
        Row(
            status: SCARD_W_SECURITY_VIOLATION, stage: .using, kind: .readerGone, hint: "Start it again",
            subject: .service),
        Row(status: SCARD_W_SECURITY_VIOLATION, stage: .opening, kind: .permissionDenied, hint: "access_pcsc"),
        Row(status: SCARD_W_SECURITY_VIOLATION, stage: .opening, kind: .permissionDenied, hint: "access_card"),
        Row(status: SCARD_E_NO_SMARTCARD, stage: .opening, kind: .noCard, hint: "Put the card"),
        Row(status: SCARD_W_REMOVED_CARD, stage: .opening, kind: .noCard, hint: "Put the card"),
        Row(status: SCARD_E_NO_SMARTCARD, stage: .using, kind: .cardRemoved, hint: "back"),
        Row(status: SCARD_W_REMOVED_CARD, stage: .using, kind: .cardRemoved, hint: "back"),
        Row(status: SCARD_W_RESET_CARD, stage: .using, kind: .cardReset, hint: "again"),
        Row(status: SCARD_W_UNRESPONSIVE_CARD, stage: .opening, kind: .cardMute, hint: "flat"),
        Row(status: SCARD_W_UNPOWERED_CARD, stage: .opening, kind: .cardMute, hint: "flat"),
        Row(status: SCARD_E_PROTO_MISMATCH, stage: .opening, kind: .cardMute, hint: "contactless"),
        Row(status: SCARD_E_NOT_TRANSACTED, stage: .using, kind: .transportFailed, hint: "flat"),
        Row(status: SCARD_E_TIMEOUT, stage: .using, kind: .timedOut),
        Row(status: SCARD_E_CANCELLED, stage: .using, kind: .cancelled),
        Row(status: SCARD_E_INSUFFICIENT_BUFFER, stage: .using, kind: .transportFailed),
        Row(status: SCARD_F_INTERNAL_ERROR, stage: .using, kind: .transportFailed, hint: "unplug", subject: .service),
        Row(status: 0x8010_FFFF, stage: .opening, kind: .transportFailed, hint: "unplug", subject: .service),
        Row(status: -1, stage: .opening, kind: .transportFailed, hint: "unplug", subject: .service),
    ]

    @Test(arguments: rows)
    func everyCodeSaysWhatToDo(_ row: Row) {
        let error = PCSCError.readerError(
            LONG(row.status), row.stage, reader: "Reader 1", isInstalled: row.isInstalled)
        #expect(error.kind == row.kind)
        #expect(row.hint.isEmpty || error.remedy.lowercased().contains(row.hint.lowercased()))
        #expect(error.subject == row.subject.map { .reader($0) })
        let digits = String(UInt32(truncatingIfNeeded: row.status), radix: 16, uppercase: true)
        #expect(error.message.contains("0x\(digits)"))
    }

    @Test func aReaderThatIsGoneIsNamed() {
        let error = PCSCError.readerError(LONG(SCARD_E_UNKNOWN_READER), .opening, reader: "OMNIKEY 5022")
        #expect(error.message.contains("\"OMNIKEY 5022\""))
    }
}
