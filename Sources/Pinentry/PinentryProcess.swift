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
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, end) in [commands[0], answers[1], silence].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, end, Int32(number))
        }
        Self.keepOthersToOurselves()
        var process: pid_t = 0
        let status = Self.withAttributes { attributes in
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), nil]
            var environment = variables.map { strdup("\($0)=\($1)") } + [nil]
            defer { for text in arguments + environment { free(text) } }
            return posix_spawn(&process, program, &actions, attributes, &arguments, &environment)
        }
        (output, input, identifier) = (commands[1], answers[0], process)
        guard status == 0 else {
            close(output)
            close(input)
            throw failed(status)
        }
        Self.running.withLock { $0 = process }
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

    /// `POSIX_SPAWN_SETSID`, which the C library does not expose to Swift.
    private static let setsid: Int32 = 0x80

    /// In its own session, as with GnuPG's agent: under our terminal's job control it would be stopped when it asks there.
    /// No signal is blocked or ignored: our own threads block most, and a child inherits that.
    private static func withAttributes(_ body: (UnsafePointer<posix_spawnattr_t>) -> Int32) -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&all)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] { sigaddset(&all, signal) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | setsid))
        return body(&attributes)
    }

    /// No other program may inherit the pipes' other ends, or what libraries open (readers, sockets).
    private static func keepOthersToOurselves() {
        guard let folder = opendir("/proc/self/fd") else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }
}
