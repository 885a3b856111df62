import Glibc

/// A new folder in /tmp for a socket, which only its owner may see.
package final class PrivateFolder: Sendable {
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

    // Gone already if its socket was removed.
    deinit { rmdir(path) }

    /// The path of a socket in it.
    package func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Removes a socket, and then the folder.
    package func remove(_ name: String) {
        unlink(self.path(name))
        rmdir(path)
    }
}
