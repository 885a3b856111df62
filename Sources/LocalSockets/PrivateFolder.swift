import Glibc

/// A new folder in /tmp for one socket, which only its owner may see.
package struct PrivateFolder: Sendable {
    private let path: String

    /// Makes the folder.
    /// - Throws: `LocalSocketError.failed`.
    package init() throws(LocalSocketError) {
        var template = Array("/tmp/tapkit-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw LocalSocketError(.failed, "No folder could be made in /tmp: \(String(cString: strerror(errno))).")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The path for the socket.
    package var socket: String { "\(path)/socket" }

    /// Removes the socket and the folder.
    package func remove() {
        unlink(socket)
        rmdir(path)
    }
}
