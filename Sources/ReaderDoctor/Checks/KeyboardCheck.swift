import CardReaders
import SmartCard

/// Is a reader plugged in that only acts as a keyboard?
enum KeyboardCheck: DoctorCheck {
    static let name = "keyboard_mode"
    static let kinds: Set<ReaderKind> = [.pcsc, .nfc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        machine.usbDevices.filter(isTyping).map { device in
            problem(
                "\(device.title) acts as a keyboard that types card numbers; programs cannot talk to a card through it",
                remedy: device.identifier.vendor == 0x076B
                    ? "Switch it to CCID mode (076b:5427) with HID's configuration tool for OMNIKEY, then plug it back in"
                    : "Switch it to CCID mode with the manufacturer's tool, if there is one, or use another reader")
        }
    }

    /// A known model in keyboard mode, or a reader manufacturer's device that is a keyboard and not a card reader.
    static func isTyping(_ device: USBDevice) -> Bool {
        if device.isCCID { return false }
        if device.model?.kind == .keyboard { return true }
        return device.model == nil && device.isKeyboard && ReaderModel.makers.contains(device.identifier.vendor)
    }
}
