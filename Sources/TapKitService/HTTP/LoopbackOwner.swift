import Glibc

/// One end of a connection over loopback.
struct LoopbackEnd: Equatable, Sendable {
    /// In network byte order, as the system keeps it.
    let address: in_addr_t
    let port: UInt16

    /// As in `/proc/net/tcp`: hexadecimal, the address in this machine's byte order.
    fileprivate var text: String { "\(Self.digits(UInt64(address), 8)):\(Self.digits(UInt64(port), 4))" }

    private static func digits(_ number: UInt64, _ count: Int) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: count - digits.count) + digits
    }
}

/// Which user a connection over loopback is from, as the kernel's table of TCP connections says.
enum LoopbackOwner {
    /// Far more than a table of all connections of a machine needs, in bytes.
    private static let longestTable = 64 << 20

    /// The user of the program at the other end of an open connection.
    /// - Returns: `nil` if there is no such connection, or the program has left it: whose it was is not known then.
    static func user(from client: LoopbackEnd, to ours: LoopbackEnd) -> UInt32? {
        table().flatMap { user(from: client, to: ours, in: $0) }
    }

    /// Spec: proc(5), `/proc/net/tcp`: number, both ends, state (01: established), queues, timers, retransmissions, user,
    /// timeouts, inode (0: no program has it any more).
    static func user(from client: LoopbackEnd, to ours: LoopbackEnd, in table: String) -> UInt32? {
        let (near, far) = (client.text, ours.text)
        for line in table.split(separator: "\n").dropFirst() {
            let columns = line.split(separator: " ", maxSplits: 10)
            guard columns.count > 9, columns[1] == near, columns[2] == far else { continue }
            return columns[3] == "01" && columns[9] != "0" ? UInt32(columns[7]) : nil
        }
        return nil
    }

    private static func table() -> String? {
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
