/// Does another program use the serial port of a board?
enum SerialUseCheck: DoctorCheck {
    static let name = "serial_in_use"
    static let backends: Set<WantedReader.Backend> = [.nfc]

    static func findings(on machine: Machine, for wanted: WantedReader) -> [DoctorFinding] {
        let named = wanted.namedPorts(on: machine).filter { machine.exists($0) }
        let ports = named.isEmpty && wanted.isNFCOnly ? machine.serialPorts : named
        guard !ports.isEmpty else { return [] }
        return ports.flatMap { findings(machine, $0) } + tapkits(machine, wanted) + probing(machine, ports)
    }

    /// Another tapkit that uses a named device: it has the device's lock.
    private static func tapkits(_ machine: Machine, _ wanted: WantedReader) -> [DoctorFinding] {
        wanted.nfcDevices(on: machine).compactMap { device in
            guard let holder = holder(of: device.connstring, on: machine) else { return nil }
            return problem(
                "another tapkit (process \(holder)) uses \(device.connstring)",
                remedy: "end it, or wait until it is done")
        }
    }

    /// The process that has the lock of a device.
    static func holder(of device: LibnfcDeviceName, on machine: Machine) -> Int? {
        device.connection?.lockFiles.lazy.compactMap { machine.lockHolder(of: $0) }.first
    }

    private static func findings(_ machine: Machine, _ port: String) -> [DoctorFinding] {
        let holders = machine.holders(of: port)
        if !holders.isEmpty {
            let list = holders.map { "\($0.name) (process \($0.identifier))" }.joined(separator: ", ")
            return [
                problem("\(port) is open in \(list); libnfc would not notice, and both would fail", remedy: "end it")
            ]
        }
        guard let lock = machine.lockFile(of: port) else { return [] }
        if let process = lock.process, let program = machine.programName(process) {
            return [
                problem(
                    "\(lock.path) says that \(program) (process \(process)) uses \(port)", remedy: "end \(program)")
            ]
        }
        return [
            note("\(lock.path) was left by a program that has ended", remedy: "sudo rm \(lock.path)")
        ]
    }

    /// ModemManager talks to every new serial port, to see whether it is a modem.
    private static func probing(_ machine: Machine, _ ports: [String]) -> [DoctorFinding] {
        let isIgnored = machine.exists("/etc/udev/rules.d/71-tapkit-serial.rules")
        guard machine.isRunning("ModemManager"), !isIgnored, ports.contains(where: { $0.contains("/tty") }) else {
            return []
        }
        return [
            note(
                "ModemManager runs, and may talk to the board for half a minute after it is plugged in",
                remedy: "wait a little after plugging it in; for good: sudo udev/setup.sh --serial")
        ]
    }
}
