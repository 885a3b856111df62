import CardReaders
import SmartCard

/// Is another program using the serial port of a board?
enum SerialUseCheck: DoctorCheck {
    static let name = "serial_in_use"
    static let kinds: Set<ReaderKind> = [.nfc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        let named = wanted.namedPorts(on: machine).filter { machine.exists($0) }
        let ports = named.isEmpty && wanted.isNFCOnly ? machine.serialPorts : named
        guard !ports.isEmpty else { return [] }
        return ports.flatMap { findings(machine, $0) } + tapkits(machine, wanted) + probing(machine, ports)
    }

    /// Another tapkit that is using a named device: it holds the device's lock.
    private static func tapkits(_ machine: Machine, _ wanted: WantedReader) -> [DoctorFinding] {
        wanted.nfcDevices(on: machine).compactMap { device in
            guard let holder = holder(of: device.connstring, on: machine) else { return nil }
            return problem(
                "Another tapkit (process \(holder)) is using \(device.connstring)",
                remedy: "Wait until it is done, or stop it")
        }
    }

    /// The process that holds the lock of a device.
    static func holder(of device: LibnfcDeviceName, on machine: Machine) -> Int? {
        device.connection?.lockFiles.lazy.compactMap { machine.lockHolder(of: $0) }.first
    }

    private static func findings(_ machine: Machine, _ port: String) -> [DoctorFinding] {
        let holders = machine.holders(of: port)
        if !holders.isEmpty {
            let list = holders.map { "\($0.name) (process \($0.identifier))" }.joined(separator: ", ")
            return [
                problem(
                    "\(port) is in use by \(list); libnfc would not notice, and both would fail", remedy: "Close it")
            ]
        }
        guard let lock = machine.lockFile(of: port) else { return [] }
        if let process = lock.process, let program = machine.programName(process) {
            return [
                problem(
                    "According to \(lock.path), \(program) (process \(process)) is using \(port)",
                    remedy: "Close \(program)")
            ]
        }
        return [
            note("\(lock.path) was left behind by a program that has ended", remedy: "sudo rm \(lock.path)")
        ]
    }

    /// ModemManager probes every new serial port for a modem.
    private static func probing(_ machine: Machine, _ ports: [String]) -> [DoctorFinding] {
        let isIgnored = machine.exists("/etc/udev/rules.d/71-tapkit-serial.rules")
        guard machine.isRunning("ModemManager"), !isIgnored, ports.contains(where: { $0.contains("/tty") }) else {
            return []
        }
        return [
            note(
                "ModemManager is running, and may probe the board for half a minute after it is plugged in",
                remedy: "Wait half a minute after plugging it in; to fix it permanently: "
                    + SetupCommand.serialRules(on: machine))
        ]
    }
}
