/// Is a reader plugged in that only types numbers?
enum KeyboardCheck: DoctorCheck {
    static let name = "keyboard_mode"
    static let backends: Set<WantedReader.Backend> = [.pcsc, .nfc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        machine.usbDevices.filter(isTyping).map { device in
            problem(
                "\(device.title) is a keyboard that types card numbers; no program can talk to a card through it",
                remedy: device.identifier.vendor == 0x076B
                    ? "switch it to CCID mode (076b:5427) with HID's configuration tool for OMNIKEY, then plug it in again"
                    : "switch it to CCID mode with its maker's tool if it has one, or use another reader")
        }
    }

    /// A known model in keyboard mode, or a reader maker's device that is a keyboard and no card reader.
    static func isTyping(_ device: USBDevice) -> Bool {
        if device.isCCID { return false }
        if device.model?.kind == .keyboard { return true }
        return device.model == nil && device.isKeyboard && ReaderModel.makers.contains(device.identifier.vendor)
    }
}
