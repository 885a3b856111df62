import ChildPrograms
import Glibc
import Synchronization

/// A running pinentry: a child process in its own group, whose standard error is discarded.
///
/// It has ended, and is reaped, when `end` returns.
struct PinentryProcess {
    /// Where commands are written.
    let output: Int32
    /// Where answers are read.
    let input: Int32
    private let identifier: pid_t

    /// The running pinentry, so that it can be stopped when this process exits without waiting.
    private static let running = Mutex<pid_t?>(nil)

    /// Starts a program without arguments.
    /// - Throws: `PinentryError.cannotStart`.
    init(_ program: String, variables: [String: String]) throws(PinentryError) {
        func failed(_ code: Int32) -> PinentryError {
            .cannotStart(program: program, reason: String(cString: strerror(code)))
        }
        var (commands, answers): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        let silence = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(silence) }
        guard silence >= 0, pipe(&commands) == 0 else { throw failed(errno) }
        guard pipe(&answers) == 0 else {
            let problem = errno
            for end in commands { close(end) }
            throw failed(problem)
        }
        defer {
            close(commands[0])
            close(answers[1])
        }
        (output, input) = (commands[1], answers[0])
        do throws(ChildProgram.StartError) {
            let child = try ChildProgram(
                program, environment: variables, descriptors: (commands[0], answers[1], silence))
            identifier = child.process
        } catch {
            close(output)
            close(input)
            throw failed(error.code)
        }
        Self.running.withLock { [identifier] in $0 = identifier }
    }

    /// How long it may take to exit by itself, and then after each signal.
    private static let patience = 25
    private static let step: UInt32 = 20_000

    /// Ends it. One that has asked everything may exit by itself; others get the signal at which a pinentry restores its
    /// terminal, and are killed if that does not help.
    func end(isOver: Bool) {
        defer { Self.running.withLock { $0 = nil } }
        close(output)
        close(input)
        if isOver, Self.hasEnded(identifier) { return }
        for signal in [SIGINT, SIGTERM] {
            Glibc.kill(identifier, signal)
            if Self.hasEnded(identifier) { return }
        }
        Self.kill(identifier)
    }

    /// Stops the running pinentry, if any, from a different thread than the one that uses it. It gets time to restore its
    /// terminal, and is killed after that.
    static func endRunning() {
        guard let identifier = running.withLock({ $0 }) else { return }
        Glibc.kill(identifier, SIGINT)
        if !hasEnded(identifier) { kill(identifier) }
    }

    private static func kill(_ identifier: pid_t) {
        Glibc.kill(-identifier, SIGKILL)
        Glibc.kill(identifier, SIGKILL)
        while waitpid(identifier, nil, 0) < 0 && errno == EINTR {}
    }

    private static func hasEnded(_ identifier: pid_t) -> Bool {
        for _ in 0..<patience {
            if waitpid(identifier, nil, WNOHANG) != 0 { return true }
            usleep(step)
        }
        return false
    }
}
