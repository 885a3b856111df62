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

    /// Waits until a client has connected, which then stays inside the library.
    func waitForClient() async throws {
        for _ in 0..<6000 {
            var door = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            if poll(&door, 1, 0) == 1 { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("Nobody has connected.")
    }

    /// Hangs up on the next clients, so many of them, with their words unread, as a service does that is killed or that
    /// refuses; nobody finds it afterwards.
    func hangUp(on clients: Int) {
        let (listener, path) = (listener, path)
        Thread.detachNewThread {
            for heard in 1...clients {
                let client = accept(listener, nil, nil)
                // Until the whole question for its version lies there: a header of 8 bytes, and 12 more.
                var question = [UInt8](repeating: 0, count: 20)
                let peek = Int32(truncatingIfNeeded: MSG_PEEK)
                while (1..<question.count).contains(recv(client, &question, question.count, peek)) { usleep(1000) }
                if heard == clients { unlink(path) }
                close(client)
            }
        }
    }

    /// Puts it in the place of the machine's.
    var environment: [String: String?] { ["PCSCLITE_CSOCK_NAME": path] }
}
