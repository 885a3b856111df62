import CardReaders
import SmartCard

/// Is any reader plugged in?
enum PluggedInCheck: DoctorCheck {
    static let name = "reader_plugged_in"
    static let kinds: Set<ReaderKind> = [.pcsc, .nfc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        // Another check reports whether a named port exists.
        guard wanted.connstring?.port == nil else { return [] }
        let devices = machine.usbDevices
        let readers = devices.filter { isReader($0, wanted) }
        if !readers.isEmpty { return [fine(readers.map { $0.title }.joined(separator: ", "))] }
        if let others = machine.service.readers, !others.isEmpty, wanted.allowsPCSC {
            return [fine("No reader on USB, but PC/SC lists \(others.count)")]
        }
        if wanted.kinds.contains(.nfc), let ports = serialPorts(machine, wanted) {
            return [fine("No USB reader; serial ports: \(ports)")]
        }
        // A reader that acts as a keyboard is reported by its own check.
        guard !devices.contains(where: KeyboardCheck.isTyping) else { return [] }
        let seen = machine.hasUSB ? "none among \(devices.count) USB devices" : "this computer has no USB"
        return [
            problem(
                "No reader is plugged in: \(seen)",
                remedy: "Plug one in; lsusb should list it. The manual page tapkit-readers(7) lists readers that work")
        ]
    }

    private static func isReader(_ device: USBDevice, _ wanted: WantedReader) -> Bool {
        if wanted.allowsPCSC, device.isCCID || device.model?.isForPCSC == true { return true }
        return wanted.kinds.contains(.nfc) && device.model?.isForNFC == true
    }

    /// Ports that a board may be connected to, or the named ones that exist.
    private static func serialPorts(_ machine: Machine, _ wanted: WantedReader) -> String? {
        let named = wanted.namedPorts(on: machine).filter { machine.exists($0) }
        let ports = named.isEmpty ? machine.serialPorts : named
        return ports.isEmpty ? nil : ports.joined(separator: ", ")
    }
}
