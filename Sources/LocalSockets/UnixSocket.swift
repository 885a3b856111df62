import Glibc

/// What the system wants to know for a Unix stream socket.
package enum UnixSocket {
    /// The most bytes that the system accepts as a socket's path.
    package static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// A new socket, neither bound nor connected, that never blocks.
    package static func create(for path: String) throws(LocalSocketError) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw failure("made", path) }
        return descriptor
    }

    /// A connection to whoever listens at a path, which blocks; `nil` if nobody does.
    package static func connected(to path: String) -> Int32? {
        guard let address = try? address(path), let descriptor = try? create(for: path) else { return nil }
        _ = fcntl(descriptor, F_SETFL, 0)
        guard call(Glibc.connect, descriptor, address) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// The address of a path.
    /// - Throws: `LocalSocketError.badAddress` for a path that no socket can have.
    package static func address(_ path: String) throws(LocalSocketError) -> sockaddr_un {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count <= longestPath, !bytes.contains(0) else {
            throw LocalSocketError(
                .badAddress, "The path of a socket must have 1 to \(longestPath) bytes; this one has \(bytes.count).")
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return address
    }

    /// Calls `bind` or `connect`.
    package static func call(
        _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32, _ address: sockaddr_un
    ) -> Int32 {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// What the system said last, about a socket.
    package static func failure(_ what: String, _ path: String) -> LocalSocketError {
        LocalSocketError(.failed, "The socket \(path) could not be \(what): \(String(cString: strerror(errno))).")
    }
}
