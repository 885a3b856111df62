import CTestMachine
import Foundation

/// A PC/SC service for one test, which may kill it and start it again.
///
/// It lives in a part of the machine that the calling thread has for itself: only this thread, and threads and programs
/// that it starts, see its socket and its ports. So make it on a `BlockingThread` and stay there. The service ends with
/// the thread that started it, whatever happens.
public final class PrivatePCSCDaemon {
    private var process: ChildProcess?

    /// Takes the calling thread there; starts nothing yet.
    /// - Throws: `PCSCDaemon.Unavailable`; `TestMachine.Outside`.
    public init() throws {
        try TestMachine.requireInside()
        let status = test_machine_for_thread()
        guard status == 0 else {
            throw PCSCDaemon.Unavailable(
                description: "A test's own pcscd needs namespaces: \(String(cString: strerror(status)))")
        }
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
}
