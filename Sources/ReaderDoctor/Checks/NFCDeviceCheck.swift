import CardReaders
import SmartCard

/// Which libnfc device is usable now?
enum NFCDeviceCheck: DoctorCheck {
    static let name = "nfc_device"
    static let kinds: Set<ReaderKind> = [.nfc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        let usable = NFCReadiness.usable(on: machine, for: wanted)
        if !usable.isEmpty { return usable.map { fine("\($0) can be opened; only then can a card on it be detected") } }
        guard wanted.isNFCOnly else { return [] }
        let named =
            wanted.nfcDevices(on: machine).map { $0.connstring.description }
            + wanted.usbDevices(on: machine).map { $0.title }
        guard named.isEmpty else {
            return [
                problem(
                    "No NFC reader is usable now: \(named.joined(separator: ", "))",
                    remedy: "Fix the problems listed above")
            ]
        }
        return [
            problem(
                "libnfc finds no device",
                remedy: "Plug one in, or give its port: \(wanted.naming("nfc:pn532_uart:/dev/ttyUSB0")), "
                    + "or set device.connstring in /etc/nfc/libnfc.conf")
        ]
    }

    static func usableKinds(on machine: Machine, for wanted: WantedReader) -> [ReaderKind] {
        NFCReadiness.usable(on: machine, for: wanted).isEmpty ? [] : [.nfc]
    }
}

/// The libnfc devices that this user could open now.
enum NFCReadiness {
    /// Connection strings and titles of what could be opened; nothing is actually opened.
    static func usable(on machine: Machine, for wanted: WantedReader) -> [String] {
        guard wanted.kinds.contains(.nfc) else { return [] }
        let ports = wanted.nfcDevices(on: machine).filter { device in
            guard device.connstring.fault == nil, let port = device.connstring.port else { return false }
            return machine.isDevice(port) && machine.access(port) == .granted && machine.holders(of: port).isEmpty
                && SerialUseCheck.holder(of: device.connstring, on: machine) == nil
        }
        return ports.map { $0.connstring.description }
            + wanted.usbDevices(on: machine).filter { device in
                guard let node = device.node, machine.access(node) == .granted else { return false }
                return !isTaken(device, machine)
            }.map { $0.title }
    }

    /// Whether the kernel or a program has it, so that libnfc cannot open it.
    private static func isTaken(_ device: USBDevice, _ machine: Machine) -> Bool {
        machine.holder(of: device) != nil || NFCConflictCheck.Use(of: device, on: machine) != nil
    }

    /// Whether a USB reader would do, and every one is taken.
    static func areAllTaken(on machine: Machine, for wanted: WantedReader) -> Bool {
        let devices = wanted.usbDevices(on: machine)
        return !devices.isEmpty && devices.allSatisfy { isTaken($0, machine) }
    }
}
