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

    /// The process that has a file locked with `flock`, as the kernel tells in `/proc/locks`; `nil`: none.
    func lockHolder(of path: String) -> Int? {
        guard let status = status(path) else { return nil }
        for line in lines("/proc/locks") {
            // 2: FLOCK  ADVISORY  WRITE 1234 00:19:5678 0 EOF; one that waits has "->" behind the number.
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count > 5, words[1] == "FLOCK", words[5].split(separator: ":").last == "\(status.st_ino)" else {
                continue
            }
            return Int(words[4])
        }
        return nil
    }

    /// The name of a running program; `nil` when there is none of this number.
    func programName(_ process: Int) -> String? { line("/proc/\(process)/comm") }
}
