import Foundation
import TestSupport
import Testing

/// What takes connections as a PC/SC service does, and never says a word: whoever asks it stays inside the library.
final class SilentService: Sendable {
    private let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("silent")
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = path
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let listener = listener
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(isBound == 0 && listen(listener, 5) == 0)
    }

    deinit { close(listener) }

    /// Puts it in the place of the machine's.
    var environment: [String: String?] { ["PCSCLITE_CSOCK_NAME": path] }
}
