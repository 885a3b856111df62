import Glibc

/// Which user a connection over loopback is from, as the kernel's table of TCP connections says.
enum LoopbackOwner {
    /// Far more than a table of all connections of a machine needs.
    private static let longestTable = 64 << 20

    /// The user of the program that connected to this machine's 127.0.0.1.
    /// - Parameters:
    ///   - clientPort: the program's end.
    ///   - port: our end.
    /// - Returns: `nil` if there is no such connection.
    static func user(from clientPort: UInt16, to port: UInt16) -> UInt32? {
        guard let table = opened() else { return nil }
        return user(from: clientPort, to: port, in: table)
    }

    /// Spec: proc(5), `/proc/net/tcp`: numbers are hexadecimal, addresses in this machine's byte order; the eighth column is
    /// the user.
    static func user(from clientPort: UInt16, to port: UInt16, in table: String) -> UInt32? {
        let (near, far) = (endpoint(clientPort), endpoint(port))
        for line in table.split(separator: "\n").dropFirst() {
            let columns = line.split(separator: " ", maxSplits: 8)
            guard columns.count > 7, columns[1] == near, columns[2] == far else { continue }
            return UInt32(columns[7])
        }
        return nil
    }

    private static func endpoint(_ port: UInt16) -> String {
        let digits = String(port, radix: 16, uppercase: true)
        return "0100007F:" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    private static func opened() -> String? {
        guard let file = fopen("/proc/net/tcp", "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= longestTable {
            let count = fread(&part, 1, part.count, file)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += part.prefix(count)
        }
        return nil
    }
}
