import CPCSC
import ExplainedErrors
import Glibc
import SmartCard

/// The one place that turns PC/SC status codes into errors that say what to do.
///
/// Spec: PC/SC Workgroup part 5; the codes in pcsc-lite's `pcsclite.h`.
enum PCSCError {
    /// What was being done when the code came; the same code means different things to a person.
    enum Stage: Sendable {
        /// Reaching the service, listing readers, connecting to a card.
        case opening
        /// Using a channel, or waiting at a reader: the service and the reader were there a moment ago.
        case using
    }

    /// The error for a status code other than success.
    /// - Parameters:
    ///   - status: what a PC/SC function returned.
    ///   - reader: the reader's name, if one was given.
    ///   - isInstalled: whether the service is installed on this machine.
    static func readerError(
        _ status: LONG, _ stage: Stage, reader: String? = nil, isInstalled: Bool = isServiceInstalled
    ) -> ReaderError {
        let row = row(status, stage, reader.map { "The reader \"\($0)\"" } ?? "The reader", isInstalled)
        return ReaderError(
            row.kind, "\(row.message) [PC/SC \(symbol(status))]", remedy: row.remedy,
            subject: row.subject.map { .reader($0) })
    }

    /// The error for a reader from which nothing has come for so long. What the card did is unknown.
    static func silentReader(_ name: String, for time: Duration) -> ReaderError {
        ReaderError(
            .timedOut, as: .transportFailed,
            "The reader \"\(name)\" has not answered for \(time.components.seconds) s.",
            remedy: "Unplug the reader and plug it back in.")
    }

    /// The error for a service that has accepted a connection, and has not answered for so long.
    static func silentService(for time: Duration) -> ReaderError {
        ReaderError(
            .noService, "The PC/SC service (pcscd) has not answered for \(time.components.seconds) s.",
            remedy: "Unplug the reader and plug it back in, then restart the PC/SC service.",
            subject: .reader(.silentService)
        )
    }

    /// The error for a card that could not be had for so long.
    static func heldCard(_ name: String, for time: Duration) -> ReaderError {
        ReaderError(
            .readerBusy,
            "For \(time.components.seconds) s, another program has been using the card on the reader \"\(name)\", "
                + "or the reader has not answered.",
            remedy: "Close other programs that use the card. If there is none, unplug the reader and plug it back in.")
    }

    /// The result of `call`, repeated once if the service hung up without an answer: a refusal repeats itself, a
    /// service that was just ending does not.
    static func askingOnceMore(_ call: () -> LONG) -> LONG {
        let status = call()
        return status == SCARD_W_SECURITY_VIOLATION ? call() : status
    }

    /// Whether the PC/SC service is installed on this machine.
    static var isServiceInstalled: Bool { access("/usr/sbin/pcscd", F_OK) == 0 }

    private struct Row {
        let kind: ReaderError.Kind
        let message: String
        let remedy: String
        /// What the remedy is about, if it is more than the reader or the card.
        let subject: ErrorSubject.Reader?

        init(_ kind: ReaderError.Kind, _ message: String, _ remedy: String, _ subject: ErrorSubject.Reader? = nil) {
            (self.kind, self.message, self.remedy, self.subject) = (kind, message, remedy, subject)
        }
    }

    private static func row(_ status: LONG, _ stage: Stage, _ reader: String, _ isInstalled: Bool) -> Row {
        switch Int(status) {
        case SCARD_E_NO_SERVICE, SCARD_E_SERVICE_STOPPED, SCARD_F_COMM_ERROR, SCARD_P_SHUTDOWN,
            SCARD_E_SYSTEM_CANCELLED, SCARD_E_INVALID_HANDLE:
            serviceRow(stage, isInstalled)
        case SCARD_E_SERVER_TOO_BUSY:
            Row(.readerBusy, "The PC/SC service has too many clients.", "Close other programs that use smart cards.")
        // The library's code for a service that hangs up without an answer: it refused access, or it died.
        case SCARD_W_SECURITY_VIOLATION where stage == .using: serviceRow(stage, isInstalled)
        case SCARD_W_SECURITY_VIOLATION, SCARD_E_NO_ACCESS:
            Row(
                .permissionDenied, "The system's policy does not let you use smart cards.",
                """
                Let polkit allow this user org.debian.pcsc-lite.access_pcsc and org.debian.pcsc-lite.access_card. \
                By default only users logged in at the machine itself may use them, not over ssh; without polkit, nobody may.
                """
            )
        case SCARD_E_NO_READERS_AVAILABLE:
            Row(.noReader, "No smart card reader is attached.", "Plug one in.", .service)
        case SCARD_E_UNKNOWN_READER, SCARD_E_READER_UNAVAILABLE:
            Row(.readerGone, "\(reader) is gone.", "Plug it back in.")
        case SCARD_E_READER_UNSUPPORTED, SCARD_E_DUPLICATE_READER:
            Row(.transportFailed, "\(reader) does not support what PC/SC needs.", "Use another reader.")
        case SCARD_E_SHARING_VIOLATION:
            Row(.readerBusy, "Another program is using the card.", "Close it, or wait until it is done.")
        case SCARD_E_TIMEOUT, SCARD_F_WAITED_TOO_LONG:
            Row(.timedOut, "Timed out: nothing happened.", "")
        case SCARD_E_CANCELLED, SCARD_W_CANCELLED_BY_USER:
            Row(.cancelled, "The wait was cancelled.", "")
        default:
            cardRow(status, stage, reader)
        }
    }

    private static func serviceRow(_ stage: Stage, _ isInstalled: Bool) -> Row {
        switch (stage, isInstalled) {
        case (.using, _):
            Row(.readerGone, "The PC/SC service (pcscd) stopped.", "Start it again.", .service)
        case (.opening, true):
            Row(
                .noService, "The PC/SC service (pcscd) does not answer.",
                "Start the service.", .service
            )
        case (.opening, false):
            Row(.noService, "The PC/SC service (pcscd) is not installed.", "Install it.", .missingService)
        }
    }

    private static func cardRow(_ status: LONG, _ stage: Stage, _ reader: String) -> Row {
        switch Int(status) {
        case SCARD_E_NO_SMARTCARD, SCARD_W_REMOVED_CARD:
            switch stage {
            case .opening: Row(.noCard, "There is no card on the reader.", "Put the card on the reader.")
            case .using: Row(.cardRemoved, "The card was removed.", "Put the card back on the reader.")
            }
        case SCARD_W_RESET_CARD:
            Row(.cardReset, "Another program reset the card.", "Try again.")
        case SCARD_W_UNRESPONSIVE_CARD, SCARD_W_UNPOWERED_CARD, SCARD_E_NOT_READY:
            Row(.cardMute, "The card does not answer.", "Put it flat on the reader, with no other card, and try again.")
        case SCARD_E_PROTO_MISMATCH, SCARD_W_UNSUPPORTED_CARD, SCARD_E_CARD_UNSUPPORTED, SCARD_E_INVALID_ATR,
            SCARD_E_UNKNOWN_CARD:
            Row(
                .cardMute, "The reader and the card have no protocol in common.",
                "Take other cards and phones off the reader. Use a contactless reader for ISO 14443 type A."
            )
        case SCARD_E_NOT_TRANSACTED, SCARD_E_COMM_DATA_LOST:
            Row(
                .transportFailed, "Communication with the card was interrupted.",
                "Put the card flat on the reader and keep it still."
            )
        case SCARD_E_INSUFFICIENT_BUFFER, SCARD_E_PCI_TOO_SMALL:
            Row(.transportFailed, "The card's response is longer than the standard allows.", "")
        default:
            Row(
                .transportFailed, "\(reader) or its driver failed.",
                "Unplug the reader and plug it back in, then restart the PC/SC service.", .service
            )
        }
    }

    /// The code as pcsc-lite's header writes it: eight hexadecimal digits.
    private static func symbol(_ status: LONG) -> String {
        let digits = String(UInt32(truncatingIfNeeded: status), radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
    }
}
