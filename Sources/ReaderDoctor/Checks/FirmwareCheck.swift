import CardReaders
import SmartCard

/// Is the firmware of an ACR122U new enough for Debian's driver?
enum FirmwareCheck: DoctorCheck {
    static let name = "acr122u_firmware"
    static let kinds: Set<ReaderKind> = [.pcsc]
    /// Version 2.06, binary-coded decimal.
    private static let oldest: UInt16 = 0x0206

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        machine.usbDevices.filter { $0.identifier == ReaderModel.acr122u }.compactMap { device in
            guard let release = device.release else { return nil }
            let version = "\(device.title), firmware \(text(release))"
            guard isTooOld(device) else { return fine(version) }
            if machine.cardDrivers.contains(where: { $0.toleratesFaultyFirmware }) {
                return note("\(version), is older than 2.06, but the driver is configured to use it anyway")
            }
            return problem(
                "\(version), is older than 2.06, so libccid refuses it",
                remedy: "Set ifdDriverOptions to 0x0004 in /etc/libccid_Info.plist and restart pcscd; "
                    + "or stop pcscd and use the reader with libnfc (\(wanted.naming("nfc"))); or use another reader")
        }
    }

    /// Whether libccid refuses the device's firmware.
    static func isTooOld(_ device: USBDevice) -> Bool {
        device.identifier == ReaderModel.acr122u && device.release.map { $0 < oldest } ?? false
    }

    /// `2.14` for 0x0214.
    private static func text(_ release: UInt16) -> String {
        "\(String(release >> 8, radix: 16)).\(USBDevice.hex(release & 0xFF).suffix(2))"
    }
}
