import Glibc

/// A program that this process started, in a session of its own.
package struct ChildProgram: Sendable {
    /// The system did not start it.
    package struct StartError: Error, Sendable {
        /// The system's `errno`.
        package let code: Int32
    }

    /// Its process.
    package let process: pid_t

    /// Starts a program in this process's folder. It inherits no descriptor but these, and no blocked or ignored signal.
    /// - Parameters:
    ///   - program: its path, or its name in `PATH`.
    ///   - arguments: after its name. Everybody on this machine can read them.
    ///   - environment: all its variables; `nil`: those of this process.
    ///   - hidden: how the names begin of this process's variables that it does not get; empty: it gets all.
    ///   - descriptors: its standard input, output and error; the caller keeps them.
    package init(
        _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil,
        withholding hidden: String = "", descriptors: (input: Int32, output: Int32, error: Int32)
    ) throws(StartError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, end) in [descriptors.input, descriptors.output, descriptors.error].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, end, Int32(number))
        }
        Self.keepOthersToOurselves()
        var process: pid_t = 0
        let status = Self.withAttributes { attributes in
            var arguments = ([program] + arguments).map { strdup($0) } + [nil]
            defer { for text in arguments { free(text) } }
            guard let environment else {
                var variables = Self.ownVariables(withholding: hidden)
                return posix_spawnp(&process, program, &actions, attributes, &arguments, &variables)
            }
            var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
            defer { for text in variables { free(text) } }
            return posix_spawnp(&process, program, &actions, attributes, &arguments, &variables)
        }
        guard status == 0 else { throw StartError(code: status) }
        self.process = process
    }

    /// This process's variables, byte for byte, without those whose names begin so.
    private static func ownVariables(withholding hidden: String) -> [UnsafeMutablePointer<CChar>?] {
        var kept: [UnsafeMutablePointer<CChar>?] = []
        var next = environ
        while let variable = next.pointee {
            if hidden.isEmpty || strncmp(variable, hidden, hidden.utf8.count) != 0 { kept.append(variable) }
            next += 1
        }
        return kept + [nil]
    }

    /// `POSIX_SPAWN_SETSID`, which the C library does not expose to Swift.
    private static let setsid: Int32 = 0x80

    /// In its own session: under our terminal's job control it would be stopped when it asks there. No signal is blocked or
    /// ignored: our own threads block most, and a child inherits that.
    private static func withAttributes(_ body: (UnsafePointer<posix_spawnattr_t>) -> Int32) -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&all)
        for signal in [SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP] { sigaddset(&all, signal) }
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
