extension Machine {
    /// The serial ports of USB devices: `/dev/ttyUSB0`, `/dev/ttyACM0`, ….
    var serialPorts: [String] {
        names("/dev").filter { $0.hasPrefix("ttyUSB") || $0.hasPrefix("ttyACM") }.map { "/dev/\($0)" }
    }

    /// The lock file by which terminal programs tell each other that a port is in use; `nil`: none.
    /// - Returns: its path and the process it names.
    func lockFile(of port: String) -> (path: String, process: Int?)? {
        guard let name = port.split(separator: "/").last else { return nil }
        let paths = ["/run/lock/LCK..\(name)", "/var/lock/LCK..\(name)"]
        guard let path = paths.first(where: { exists($0) }) else { return nil }
        let words = line(path)?.split(whereSeparator: \.isWhitespace)
        return (path, words?.first.flatMap { Int($0) })
    }

    /// The name of a running program; `nil` when there is none of this number.
    func programName(_ process: Int) -> String? { line("/proc/\(process)/comm") }
}
