import Foundation
import Glibc

/// The PC/SC service of this run of the tests, with its two virtual readers (Debian: `pcscd`, `vsmartcard-vpcd`).
///
/// It lives where the test process does (`TestMachine`): the machine's own service, if there is one, is out of sight.
public enum PCSCDaemon {
    /// Why tests cannot have the service.
    public struct Unavailable: Error, CustomStringConvertible {
        /// What is missing, and what to do.
        public let description: String
    }

    static let program = "/usr/sbin/pcscd"
    /// How the tests' own services are started: in the foreground, and where pcsc-lite asks polkit (Debian 13), without. It
    /// would ask the machine's, and turn everybody away where none runs.
    static let arguments = ["--foreground"] + (asksPolkit ? ["--disable-polkit"] : [])
    /// The whole command, for a shell.
    public static let command = ([program] + arguments).joined(separator: " ")
    /// Whether the service, unless it is told otherwise, lets in only whom polkit lets in.
    public static let asksPolkit =
        (try? Data(contentsOf: URL(fileURLWithPath: program)))?.range(of: Data("disable-polkit".utf8)) != nil
    private static let started = Task { try await BlockingThread.run(start) }

    /// Starts the service, unless this process's parent did (an exit test's); it ends with the last process that uses it.
    /// - Throws: `Unavailable`; `TestMachine.Outside`.
    public static func ensureRunning() async throws { _ = try await started.value }

    /// The names of the virtual readers, slot 0 first.
    /// - Throws: `Unavailable`.
    public static func virtualReaders() async throws -> [String] {
        try await ensureRunning()
        return try await BlockingThread.run(checkedVirtualReaders)
    }

    /// A process's stake in the service, held until the process ends.
    private struct Stake: Sendable {
        let lock: FileLock
    }

    private static func start() throws -> Stake {
        let startLock = try FileLock("pcscd-start")
        try startLock.take()
        let stake = Stake(lock: try FileLock("pcscd-users"))
        try stake.lock.take(isShared: true)
        if PCSCProbe.virtualReaders() == nil {
            try prepare()
            try launch()
        }
        _ = try checkedVirtualReaders()
        return stake
    }

    /// Checks what a service needs.
    static func prepare() throws {
        try TestMachine.requireInside()
        guard access(program, X_OK) == 0 else {
            throw Unavailable(
                description: "These tests need Debian's packages pcscd and vsmartcard-vpcd: udev/setup.sh")
        }
    }

    /// Starts the service under a shell that waits until nobody holds the users' lock any more, even if the holders
    /// were killed, and then ends the service.
    private static func launch() throws {
        let script = """
            users=$1; log=$2; shift 2
            "$@" >"$log" 2>&1 & daemon=$!
            exec 9>"$users"; flock 9; kill $daemon; wait $daemon
            """
        _ = try ChildProcess(
            "/bin/sh",
            [
                "-c", script, "sh", FileLock.path("pcscd-users"), FileLock.path("pcscd-log"), program,
            ] + arguments, streams: ChildProcess.silence)
        try waitUntilReady(log: FileLock.path("pcscd-log"))
    }

    /// Waits until the service answers and has its virtual readers.
    static func waitUntilReady(log: String? = nil) throws {
        for _ in 0..<200 {
            if PCSCProbe.virtualReaders()?.count == 2 { return }
            usleep(50_000)
        }
        let said = log.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? ""
        throw Unavailable(description: "pcscd was started and does not come up within 10 s: \(said.suffix(400))")
    }

    private static func checkedVirtualReaders() throws -> [String] {
        guard let readers = PCSCProbe.virtualReaders() else {
            throw Unavailable(description: "pcscd ended while the tests ran.")
        }
        guard readers.count == 2 else {
            throw Unavailable(description: "pcscd runs without the two virtual readers: install vsmartcard-vpcd.")
        }
        return readers
    }
}
