import FlowSupport
import Glibc
import LocalSockets
import TapKitService
import TestSupport
import Testing

/// Who comes in, and what becomes of the socket.
@Suite struct SocketDoorTests {
    @Test func onlyItsOwnerCanUseTheSocket() throws {
        let bench = try ServiceBench(.socket)
        var status = stat()
        #expect(lstat(bench.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600 && status.st_mode & S_IFMT == S_IFSOCK)
    }

    /// Another user's program is refused by the kernel's word, even where it can open the socket.
    @Test func anotherUserIsRefused() async throws {
        let bench = try ServiceBench(.socket)
        #expect(chmod(bench.path, 0o666) == 0)
        let folder = bench.path.prefix { $0 != "\0" }.split(separator: "/").dropLast().joined(separator: "/")
        #expect(chmod("/" + folder, 0o755) == 0)
        let visit = try await Subprocess.python(
            """
            import os, socket
            if os.geteuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
            s = socket.socket(socket.AF_UNIX)
            s.connect(r"\(bench.path)")
            try:
                s.sendall(b'{"jsonrpc":"2.0","id":1,"method":"version"}\\n')
                print(len(s.recv(1000)) if os.geteuid() == 65534 else 0)
            except (BrokenPipeError, ConnectionResetError):
                print(0)
            """)
        #expect(try visit.succeeded().text == "0\n")
    }

    @Test func aStaleSocketIsReplacedAndALiveOneIsNot() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("s")
        let address = try UnixSocket.address(path)
        let stale = try UnixSocket.create(for: path)
        #expect(UnixSocket.call(bind, stale, address) == 0)
        close(stale)
        let door = try SocketDoor(at: path)
        let error = #expect(throws: LocalSocketError.self) { try SocketDoor(at: path) }
        #expect(error?.kind == .inUse)
        door.remove()
        #expect(access(path, F_OK) != 0)
    }

    /// What systemd says is for this process only, and must be a socket that listens.
    @Test(arguments: [
        ["LISTEN_FDS": "1"], ["LISTEN_PID": "1", "LISTEN_FDS": "1"], ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "2"],
        ["LISTEN_PID": "\(getpid())"],
    ])
    func nothingElseIsTakenForSystemdsSocket(_ environment: [String: String]) {
        #expect(SocketDoor { environment[$0] } == nil)
    }
}
