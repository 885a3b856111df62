import CardReaders
import Glibc

extension Machine {
    /// The serial ports of USB devices: `/dev/ttyUSB0`, `/dev/ttyACM0`, ….
    var serialPorts: [String] {
        names("/dev").filter { $0.hasPrefix("ttyUSB") || $0.hasPrefix("ttyACM") }.map { "/dev/\($0)" }
    }

    /// The lock file with which terminal programs show each other that a port is in use; `nil` if there is none.
    /// - Returns: its path and the process it names.
    func lockFile(of port: String) -> (path: String, process: Int?)? {
        guard let name = port.split(separator: "/").last else { return nil }
        let paths = ["/run/lock/LCK..\(name)", "/var/lock/LCK..\(name)"]
        guard let path = paths.first(where: { exists($0) }) else { return nil }
        let words = line(path)?.split(whereSeparator: \.isWhitespace)
        return (path, words?.first.flatMap { Int($0) })
    }

    /// The process that has locked a file with `flock`, according to `/proc/locks`; `nil` if there is none.
    func lockHolder(of path: String) -> Int? {
        guard let status = status(path) else { return nil }
        let file = "\(Self.kernelName(ofDevice: status.st_dev)):\(status.st_ino)"
        for line in lines("/proc/locks") {
            // 2: FLOCK  ADVISORY  WRITE 1234 00:19:5678 0 EOF; a waiting lock has "->" after the number.
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count > 5, words[1] == "FLOCK", words[5] == file else { continue }
            return Int(words[4])
        }
        return nil
    }

    /// A file system's device as the kernel writes it: major and minor number, hexadecimal, two or more digits each.
    static func kernelName(ofDevice device: dev_t) -> String {
        let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
        let minor = device & 0xFF | (device >> 12) & ~0xFF
        return [major, minor].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
    }

    /// The name of a running program; `nil` if no process has this number.
    func programName(_ process: Int) -> String? { line("/proc/\(process)/comm") }
}
