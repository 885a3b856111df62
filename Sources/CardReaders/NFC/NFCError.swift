import CNFC
import ExplainedErrors
import Glibc
import SmartCard

/// The one place that turns libnfc's return codes into errors that say what to do. `last_error` is not used, because not
/// every failure sets it.
///
/// Spec: libnfc, error codes in `nfc.h`; PN532 user manual (UM0701-02), error codes, for what the drivers pass on.
enum NFCError {
    /// The error for a failed exchange with the card or the chip.
    /// - Parameter status: what a libnfc function returned, below 0.
    static func readerError(_ status: Int32, _ device: NFCConnectionString) -> ReaderError {
        switch status {
        case NFC_ERFTRANS, NFC_ETGRELEASED, NFC_EINVARG, NFC_EMFCAUTHFAIL: cardRemoved
        case NFC_EIO, NFC_ENOTSUCHDEV:
            isPortGone(device)
                ? ReaderError(.readerGone, "The NFC reader \(device) is gone.", remedy: "Plug it back in.")
                : failed("Communication with the NFC reader \(device) is garbled", status)
        case NFC_ETIMEOUT: failed("The NFC reader \(device) does not answer", status)
        case NFC_EOPABORTED: ReaderError(.cancelled, "The wait was cancelled.")
        case NFC_EOVFLOW: failed("The card's response is longer than the standard allows", status)
        case NFC_EDEVNOTSUPP, NFC_ENOTIMPL: failed("The NFC reader \(device) cannot do what tap cards need", status)
        default: failed("The NFC reader \(device) or its driver failed", status)
        }
    }

    /// The card that was there is gone.
    static let cardRemoved = ReaderError(
        .cardRemoved, "The card was removed.", remedy: "Put the card back on the reader.")

    /// There is no card.
    static let noCard = ReaderError(.noCard, "There is no card on the reader.", remedy: "Put the card on the reader.")

    /// What is on the reader does not speak ISO 14443-4.
    static let noSmartCard = ReaderError(
        .cardMute, "What is on the reader is not a smart card.", remedy: "Take other cards and phones off the reader.")

    /// Nothing answered when the device was opened.
    static func cannotOpen(_ device: NFCConnectionString) -> ReaderError {
        guard device.port != nil else {
            return ReaderError(
                .noReader, "libnfc cannot open \(device).",
                remedy: "Unplug it and plug it back in, and check that you have permission to use it.",
                subject: .reader(.named("nfc:\(device)")))
        }
        return ReaderError(
            .noReader, "No NFC chip answers at \(device).",
            remedy: "Check the board's wiring, and that it is set to HSU (UART).",
            subject: .reader(.named("nfc:\(device)")))
    }

    /// No device on USB has this name.
    static func notPluggedIn(_ device: NFCConnectionString) -> ReaderError {
        let isBare = device.description == device.driver
        return ReaderError(
            .noReader, "\(device) is not plugged in.",
            remedy: "Plug it in."
                + (isBare ? "" : " Its numbers change each time: name only its driver, \(device.driver)."),
            subject: .reader(.named("nfc:\(device)")))
    }

    /// Something else has claimed a USB device, or may be about to, so libnfc was not asked to open it.
    static func held(_ device: NFCUSBDevice, on host: any HostFiles) -> ReaderError {
        let subject = ErrorSubject.reader(.named("nfc:\(device.connection)"))
        guard let holder = device.holder else {
            return ReaderError(
                .readerBusy, "\(device.device.title) was just plugged in, and pcscd may be about to use it.",
                remedy: "Try again in a few seconds.", subject: subject)
        }
        let remedy =
            switch holder {
            case .kernel: "Unload that driver and keep it from loading, then plug the reader back in."
            case .programs where host.isProbablyService(holder, of: device.device):
                "Use the reader through PC/SC; or stop that program, then plug the reader back in."
            case .programs: "Close that program, or wait until it is done."
            }
        return ReaderError(
            .readerBusy, host.claim(of: device.device, by: holder) + ".", remedy: remedy, subject: subject)
    }

    /// Why the port cannot be opened; `nil` if the system would allow it.
    static func portProblem(_ device: NFCConnectionString) -> ReaderError? {
        guard let port = device.port else { return nil }
        guard access(port, F_OK) == 0 else {
            return ReaderError(
                .noReader, "The port \(port) does not exist.",
                remedy: "Plug the reader in.",
                subject: .reader(.port(port)))
        }
        var status = stat()
        guard access(port, R_OK | W_OK) == 0 else {
            // It was unplugged meanwhile.
            guard stat(port, &status) == 0 else { return closed(port, age: 0) }
            return closed(port, age: time(nil) - status.st_ctim.tv_sec)
        }
        guard stat(port, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else {
            return ReaderError(
                .noReader, "\(port) is not a serial port.", remedy: "Name the port of the reader.",
                subject: .reader(.port(port)))
        }
        return nil
    }

    /// How long the system may take to give a port that was plugged in its group and mode.
    private static let secondsUntilSettled = 3

    /// Why a port cannot be opened that this user may not use.
    /// - Parameter age: how many seconds ago it was made, or its permissions changed: they may change again. Negative if the
    ///   clock was set back.
    static func closed(_ port: String, age: Int) -> ReaderError {
        (0..<secondsUntilSettled).contains(age)
            ? ReaderError(
                .noReader, "The system may still be setting up the port \(port).", remedy: "Try again.",
                subject: .reader(.port(port)))
            : ReaderError(
                .permissionDenied, "You do not have permission to use \(port).",
                remedy: "Join the group that owns it, usually dialout, and log in again.", subject: .reader(.port(port))
            )
    }

    /// Whether the device was unplugged; the system takes a moment to remove a port's name.
    private static func isPortGone(_ device: NFCConnectionString) -> Bool {
        guard let port = device.port else {
            return device.isOnUSB && !Host().nfcDevices.contains { device.stands(for: $0.connection) }
        }
        for _ in 0..<Self.looksAtPort {
            let descriptor = open(port, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { return errno != EACCES && errno != EMFILE }
            close(descriptor)
            usleep(Self.pauseBetweenLooks)
        }
        return false
    }

    private static let looksAtPort = 10
    /// In microseconds.
    private static let pauseBetweenLooks: UInt32 = 20_000

    private static func failed(_ what: String, _ status: Int32) -> ReaderError {
        ReaderError(
            .transportFailed, "\(what). [libnfc \(status)]",
            remedy: "Put the card flat on the reader. If that does not help, unplug the reader and plug it back in.")
    }
}
