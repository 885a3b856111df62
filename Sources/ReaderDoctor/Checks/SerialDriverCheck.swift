import CardReaders
import SmartCard

/// Does a USB-serial bridge have its serial port?
enum SerialDriverCheck: DoctorCheck {
    static let name = "serial_driver"
    static let kinds: Set<ReaderKind> = [.nfc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        let matters = wanted.isNFCOnly || !wanted.namedPorts(on: machine).isEmpty
        return machine.usbDevices.filter { $0.model?.kind == .serialBridge }.map { device in
            guard device.serialPorts.isEmpty else {
                return fine("\(device.title) is \(device.serialPorts.map { "/dev/\($0)" }.joined(separator: ", "))")
            }
            let (evidence, remedy) = reason(device, machine)
            return matters ? problem(evidence, remedy: remedy) : note(evidence, remedy: remedy)
        }
    }

    private static func reason(_ device: USBDevice, _ machine: Machine) -> (evidence: String, remedy: String) {
        if machine.isRunning("brltty") {
            return (
                "\(device.title) has no serial port, and brltty is running, which mistakes such bridges for Braille displays",
                "If you do not need Braille: sudo apt-get remove brltty, then plug the board back in"
            )
        }
        let holder = device.interfaces.compactMap { $0.driver }.first
        return (
            "\(device.title) has no serial port: "
                + (holder == "usbfs"
                    ? "a program is using it" : holder.map { "driver \($0)" } ?? "no driver has claimed it"),
            "Plug it back in; if no port appears, dmesg shows why"
        )
    }
}
