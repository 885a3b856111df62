import CTestMachine
import Foundation
import Synchronization

/// A child process, started with `posix_spawn` and reaped by a thread of its own.
///
/// Foundation's `Process` waits with `select`, which cannot take descriptors above 1023, and a run of all tests has many
/// open. The child is in a session of its own, with no terminal, wherever the tests were started: a question must not wait
/// for somebody who runs tests. It has no signal blocked: the threads of Swift's tasks block nearly all, and a child
/// inherits that.
final class ChildProcess: Sendable {
    /// The process id, and the id of its group.
    let identifier: pid_t
    private let known = Mutex<Subprocess.Ending?>(nil)
    /// Left when the ending is known.
    private let end = DispatchGroup()

    /// Starts a program.
    /// - Parameters:
    ///   - program: a path, or a name that is looked up in `PATH`.
    ///   - environment: variables set on top of this process's own; `nil` removes one.
    ///   - directory: its working directory.
    ///   - streams: descriptors for its standard input, output and error.
    /// - Throws: when the program cannot be started.
    init(
        _ program: String, _ arguments: [String], environment: [String: String?] = [:], directory: URL? = nil,
        streams: [Int32]
    ) throws {
        let command = [try Subprocess.locate(program).path] + arguments
        var variables = ProcessInfo.processInfo.environment.merging(OwnStore.environment) { $1 }
        for (name, value) in environment { variables[name] = value }
        identifier = try Self.spawn(command, variables.map { "\($0)=\($1)" }, directory, streams)
        end.enter()
        Thread.detachNewThread { [identifier, end, weak self] in
            let ending = Self.reap(identifier)
            self?.known.withLock { $0 = ending }
            end.leave()
        }
    }

    /// Streams for a program that nobody listens to: `/dev/null`, opened once.
    static let silence = [Int32](repeating: open("/dev/null", O_RDWR | O_CLOEXEC), count: 3)

    /// Whether it has not ended yet.
    var isRunning: Bool { known.withLock { $0 } == nil }

    /// Waits for its end on a thread of its own, since tests may keep every thread of the pool busy.
    /// - Returns: how it ended; `.timedOut` when time was up and it was killed here.
    func ending(timeout: Duration) async -> Subprocess.Ending {
        await BlockingThread.run { self.waitForEnding(timeout: timeout) }
    }

    private func waitForEnding(timeout: Duration) -> Subprocess.Ending {
        var wasKilled = false
        if end.wait(timeout: .now() + (timeout / .seconds(1))) == .timedOut {
            wasKilled = killGroup()
            end.wait()
        }
        return known.withLock { wasKilled ? .timedOut : $0 ?? .timedOut }
    }

    /// Kills the process and the children that stayed in its group.
    /// - Returns: whether it was still running.
    @discardableResult
    func killGroup() -> Bool { isRunning && kill(-identifier, SIGKILL) == 0 }

    private static func spawn(
        _ command: [String], _ environment: [String], _ directory: URL?, _ streams: [Int32]
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in streams.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        // Nothing else of ours: a pipe's other end in a child that lives on would keep the pipe from ending.
        let refusal = child_process_begins(&actions, Int32(streams.count), directory?.path)
        guard refusal == 0 else { throw POSIXError(POSIXErrorCode(rawValue: refusal) ?? .EINVAL) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | child_process_session)

        let arguments = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var identifier: pid_t = 0
        let status = posix_spawn(&identifier, command[0], &actions, &attributes, arguments, variables)
        guard status == 0 else {
            throw CocoaError(.executableLoad, userInfo: [NSFilePathErrorKey: command[0], "errno": status])
        }
        return identifier
    }

    private static func reap(_ identifier: pid_t) -> Subprocess.Ending {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
    }
}
