import CardReaders
import SmartCard

/// Does libnfc's configuration name devices that exist?
enum NFCConfigurationCheck: DoctorCheck {
    static let name = "nfc_configuration"
    static let kinds: Set<ReaderKind> = [.nfc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        wanted.nfcDevices(on: machine).map { device in
            let title = "\(device.connstring) (\(device.source))"
            if let fault = device.connstring.fault {
                return problem(
                    "\(title): \(fault)", remedy: "Write it as pn532_uart:/dev/ttyUSB0, or as nfc-list shows it")
            }
            if let connection = device.connstring.connection, connection.isOnUSB {
                guard !machine.nfcDevices.contains(where: { connection.stands(for: $0.connection) }) else {
                    return fine(title)
                }
                let evidence = "\(title): no such reader is plugged in"
                let remedy = "Plug it in; its numbers change each time, so name the driver alone"
                return device.isOptional ? note(evidence, remedy: remedy) : problem(evidence, remedy: remedy)
            }
            guard let port = device.connstring.port, !machine.isDevice(port) else { return fine(title) }
            let evidence = "\(title): \(machine.exists(port) ? "\(port) is not a device" : "\(port) does not exist")"
            let ports = machine.serialPorts
            let remedy =
                ports.isEmpty
                ? "Plug the board in; dmesg shows which port it gets"
                : "Use one of the serial ports: \(ports.joined(separator: ", "))"
            return device.isOptional ? note(evidence, remedy: remedy) : problem(evidence, remedy: remedy)
        }
    }
}
