import ArgumentParser
import ExplainedErrors
import Glibc
import TapKitHWI
import Terminal

/// The process: what it does before a verb runs, and how it ends.
public enum EntryPoint {
    /// Runs the verb that the arguments name, and exits with its status.
    public static func main() async -> Never {
        disableCoreDumps()
        keepStandardStreams()
        // Output that cannot be written is a failure to report, not the end by a signal: a pipe without a reader, a
        // file at the limit for files.
        for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
        Interruption.shared.install(
            end: { ProcessExit.insisted { reportForcedEnd() } }, quit: { ProcessExit.by($0) })
        let status = await Task { await run() }.cancellingOnInterruption().value
        ProcessExit.with(status)
    }

    /// If a standard stream is closed, the next file that is opened would take its number and receive the output. So a
    /// descriptor that cannot be written to takes its place: an answer that cannot be written is a failure.
    private static func keepStandardStreams() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// Disables core dumps, because the process's memory holds secrets. If core dumps are piped to a program, Linux
    /// ignores a limit of 0, but not a limit of 1 byte, which is also too small for a file.
    private static func disableCoreDumps() {
        var limit = rlimit(rlim_cur: 1, rlim_max: 1)
        guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) != 0 else { return }
        limit = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    }

    private static func run() async -> Int32 {
        if let arguments = HWIArguments.taken() {
            return confirmAnswered(await HWIProgram(HWITerminal()).run(arguments))
        }
        return await run(CommandLineText.normalized(Array(CommandLine.arguments.dropFirst())))
    }

    /// Says that the process is ended by force; HWI's command line has no such answer.
    private static func reportForcedEnd() {
        guard HWIArguments.taken() == nil else { return }
        FailureReport.writeLast(
            .forcedEnd, isJSON: isJSON(CommandLineText.normalized(Array(CommandLine.arguments.dropFirst()))))
    }

    private static func isJSON(_ arguments: [String]) -> Bool { arguments.prefix { $0 != "--" }.contains("--json") }

    /// The status of HWI's command line. If the answer could not be written, the caller must not see success.
    private static func confirmAnswered(_ status: Int32) -> Int32 {
        guard Console.hasLostOutput else { return status }
        Console(isJSON: true).note(
            "\(HWIProgram.name): The answer could not be written: \(Console.outputProblem).")
        return ErrorCode.cannotWrite.exitStatus.rawValue
    }

    private static func run(_ arguments: [String]) async -> Int32 {
        let console = Console(isJSON: isJSON(arguments))
        let status = await runVerb(arguments, console)
        guard status == ExitStatus.success.rawValue, Console.hasLostOutput else { return status }
        // The reader closed the pipe early: exit quietly, as programs in pipes do. A program that asked for JSON needs
        // all of it, or the status that says why not.
        if Console.hasNoReader, !console.isJSON, isListing(arguments) { ProcessExit.by(SIGPIPE) }
        return FailureReport.write(.lostOutput, to: console)
    }

    /// Whether the answer only lists things, so that losing it does no harm. For all others the loss is reported.
    private static func isListing(_ arguments: [String]) -> Bool {
        let verb = TapkitCommand.verb(of: arguments)
        return verb.isEmpty || listings.contains(verb.joined(separator: " "))
            || arguments.contains { ["--help", "-h", "--version"].contains($0) }
    }

    private static let listings: Set = [
        "demo", "help", "readers", "status", "doctor", "address", "config list", "tx list", "tx show", "wallet list",
        "wallet show",
        "wallet history",
    ]

    private static func runVerb(_ arguments: [String], _ console: Console) async -> Int32 {
        do {
            guard hasReadableArguments else {
                throw Failure(
                    .usage, "An argument is not UTF-8.",
                    hint: "Pass a message with arbitrary bytes on standard input: -.")
            }
            guard arguments.first != ManualFolder.option else {
                try ManualFolder.write(arguments)
                return ExitStatus.success.rawValue
            }
            try TapkitCommand.requireVerb(arguments)
            if try await Greeting.answer(arguments) { return ExitStatus.success.rawValue }
            var command = try TapkitCommand.parseAsRoot(arguments)
            if var command = command as? AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return ExitStatus.success.rawValue
        } catch  where error is Failure || error is any ExplainedError || error is CancellationError {
            let verb = TapkitCommand.verb(of: arguments)
            return FailureReport.write(Failure(unexpected: error).naming(verb), to: console)
        } catch {
            return report(parserError: error, of: arguments, to: console)
        }
    }

    /// Whether every argument is valid UTF-8. Other bytes would be replaced, so that another message would be signed or
    /// verified, or another file written, than the one named.
    private static var hasReadableArguments: Bool {
        (0..<Int(CommandLine.argc)).allSatisfy { index in
            CommandLine.unsafeArgv[index].map { String(validatingCString: $0) != nil } ?? true
        }
    }

    /// `--help`, `--version` and completion scripts come as errors too, with status 0.
    private static func report(
        parserError error: any Error, of arguments: [String], to console: Console
    ) -> Int32 {
        let code = TapkitCommand.exitCode(for: error)
        if code.isSuccess {
            let message = TapkitCommand.fullMessage(for: error)
            // Our own help replaces the parser's.
            let help =
                message.hasPrefix("OVERVIEW:") ? try? HelpText(width: TerminalRoom(of: STDOUT_FILENO).columns) : nil
            let lines = try? help?.verb(TapkitCommand.verb(of: arguments))
            let text = lines?.joined(separator: "\n") ?? message
            Console.write(text + "\n", to: STDOUT_FILENO)
            return ExitStatus.success.rawValue
        }
        if error is ExitCode { return code.rawValue }
        guard code == .validationFailure else {
            return FailureReport.write(Failure(unexpected: error), to: console)
        }
        let message = TapkitCommand.message(for: error)
        return FailureReport.write(
            Failure(
                .usage, lines: ParserMessage.lines(message, repeating: arguments),
                hint: ParserMessage.hint(message, verb: TapkitCommand.verb(of: arguments))), to: console)
    }
}

extension Task where Success == Int32, Failure == Never {
    fileprivate func cancellingOnInterruption() -> Self {
        Interruption.shared.onFirstSignal { self.cancel() }
        return self
    }
}
