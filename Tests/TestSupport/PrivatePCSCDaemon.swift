import Foundation

/// A PC/SC service for one test, which may kill it and start it again.
///
/// It lives in namespaces of the calling thread's own: only this thread, and threads and programs that it starts, see
/// its socket and its ports. So make it on a `BlockingThread` and stay there. Needs root. The service ends with the
/// thread that started it, whatever happens.
public final class PrivatePCSCDaemon {
    private var process: ChildProcess?

    /// Takes the calling thread into new namespaces; starts nothing yet.
    /// - Throws: `PCSCDaemon.Unavailable`.
    public init() throws {
        try Self.check("unshare", Self.unshare())
        try Self.check("mount private", mount(nil, "/", nil, UInt(MS_REC | MS_PRIVATE), nil))
        try Self.check("mount /run", mount("tmpfs", "/run", "tmpfs", 0, nil))
        try Self.check("loopback", Self.raiseLoopback())
    }

    deinit { kill() }

    /// Starts the service and waits until it answers.
    /// - Throws: `PCSCDaemon.Unavailable`.
    public func start() throws {
        try PCSCDaemon.prepare()
        process = try ChildProcess(
            "/usr/bin/setpriv", ["--pdeathsig", "KILL", PCSCDaemon.program] + PCSCDaemon.arguments,
            streams: ChildProcess.silence)
        try PCSCDaemon.waitUntilReady()
    }

    /// The running service's process.
    public var identifier: pid_t? { process?.identifier }

    /// Kills the service, as a crash would.
    public func kill() {
        guard let process else { return }
        process.killGroup()
        while process.isRunning { usleep(1_000) }
        self.process = nil
    }

    /// The first virtual reader.
    /// - Throws: `PCSCDaemon.Unavailable` when the service does not run.
    public func slot() throws -> VirtualReaderSlot {
        guard let name = PCSCProbe.virtualReaders()?.first else {
            throw PCSCDaemon.Unavailable(description: "The test's own pcscd does not run.")
        }
        return VirtualReaderSlot(port: VirtualReaderSlot.ports[0], readerName: name)
    }

    private static func check(_ step: String, _ status: Int32) throws {
        guard status == 0 else {
            throw PCSCDaemon.Unavailable(
                description:
                    "A test's own pcscd needs root and namespaces: \(step): \(String(cString: strerror(errno)))")
        }
    }

    /// `unshare(CLONE_NEWNS | CLONE_NEWNET)`, which the C library hides from Swift.
    private static func unshare() -> Int32 {
        guard let symbol = dlsym(nil, "unshare") else { return -1 }
        return unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)(0x0002_0000 | 0x4000_0000)
    }

    /// Switches the new namespace's loopback interface on: `struct ifreq` with `IFF_UP | IFF_RUNNING`.
    private static func raiseLoopback() -> Int32 {
        let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
        defer { close(socket) }
        var request = Array("lo".utf8) + [UInt8](repeating: 0, count: 38)
        request[16] = UInt8(IFF_UP | IFF_RUNNING)
        return ioctl(socket, UInt(SIOCSIFFLAGS), &request)
    }
}
