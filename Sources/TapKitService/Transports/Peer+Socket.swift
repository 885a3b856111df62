import Glibc

extension Peer {
    /// The program at the other end of a Unix socket, as the kernel knows it.
    /// - Returns: `nil` if the kernel does not say.
    init?(of descriptor: Int32) {
        // struct ucred, which the C library does not expose to Swift: process, user, group.
        var credentials: (process: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
        var length = socklen_t(MemoryLayout<pid_t>.size + MemoryLayout<uid_t>.size + MemoryLayout<gid_t>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
        self.init(user: credentials.user, process: credentials.process, program: Self.program(of: credentials.process))
    }

    /// The longest name that is shown.
    private static let longestName = 40
    private static let markup = [UInt8]("<>&".utf8)

    /// The name of a process's executable file, as it is shown in a question: printable ASCII only, and nothing that an old
    /// pinentry could take for HTML.
    private static func program(of process: pid_t) -> String? {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/\(process)/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let path = buffer.prefix(count).map { UInt8(bitPattern: $0) }
        let name = path.split(separator: UInt8(ascii: "/")).last ?? []
        let shown = name.prefix(longestName).map { byte in
            (0x21..<0x7F).contains(byte) && !markup.contains(byte) ? byte : UInt8(ascii: "?")
        }
        return shown.isEmpty ? nil : String(decoding: shown, as: UTF8.self)
    }
}
