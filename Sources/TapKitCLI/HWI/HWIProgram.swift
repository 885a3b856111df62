import ArgumentParser
import Bitcoin
import ExplainedErrors
import Glibc

/// HWI's command line in the place of tapkit's own: its arguments, its JSON, its exit statuses.
///
/// Spec: HWI 3.2.0, `hwilib/_cli.py`; Bitcoin Core, "Support for signing transactions outside of Bitcoin Core".
enum HWIProgram {
    /// The name of the program, and of the verb.
    static let name = "hwi"
    /// Of HWI's command line that is spoken here.
    static let version = "3.2.0"
    /// HWI's exit status when the command line makes no sense. Everything else is told in JSON, with status 0.
    private static let usageStatus: Int32 = 2

    /// HWI's part of the process's command line, each word as its bytes; `nil` when something else is called. Passwords
    /// are erased from the list of arguments that other programs can see.
    static func arguments() -> [[UInt8]]? {
        let words = (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }
        guard let program = words.first.map({ String(cString: $0) }) else { return nil }
        let texts = words.dropFirst().map { String(cString: $0) }
        let own: ArraySlice<UnsafeMutablePointer<CChar>>
        var leading: [String] = []
        if program.split(separator: "/").last == Substring(name) {
            own = words.dropFirst()
        } else {
            let (options, rest) = CommandLineText.leadingOptions(texts)
            guard rest.first == name else { return nil }
            leading = options
            own = words.suffix(rest.count - 1)
        }
        defer { erasePasswords(own) }
        return leading.filter { !unknownFlags.contains($0) }.map { Array($0.utf8) }
            + own.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }

    /// Options of tapkit's other verbs that HWI's command line has no use for: it always answers in JSON, and asks nothing.
    private static let unknownFlags: Set<String> = ["--json", "--progress", "-y", "--yes"]

    /// Runs what the arguments ask for.
    /// - Returns: the status the process ends with.
    static func run(_ given: [[UInt8]]) async -> Int32 {
        do {
            let input = StandardInputLines()
            var all = given
            if given.contains(Array(HWIArguments.standardInput.utf8)) { all += try words(of: input) }
            let arguments = try HWIArguments(all)
            return try await run(arguments, input)
        } catch {
            return report(error)
        }
    }

    private static func run(_ arguments: HWIArguments, _ input: StandardInputLines) async throws -> Int32 {
        guard !arguments.words.isEmpty else {
            throw HWIError(.missingArguments, "\(name): error: the following arguments are required: command")
        }
        if let word = arguments.words.first, !word.hasPrefix("-"), !commands.contains(word) {
            // A password whose option was mistyped is not repeated.
            let choice = word.allSatisfy(\.isNumber) ? "" : ": '\(word)'"
            throw HWIError(
                .missingArguments,
                "\(name): error: argument command: invalid choice\(choice) (choose from \(commands.joined(separator: ", ")))"
            )
        }
        let command: any HWICommand
        do {
            var parsed = try HWIVerb.parseAsRoot(arguments.words)
            // What is no command of HWI's is the parser's own, which ends in the help text.
            guard let given = parsed as? any HWICommand else {
                try parsed.run()
                return reportParser(CleanExit.helpRequest(HWIVerb.self), of: arguments.words)
            }
            command = given
        } catch { return reportParser(error, of: arguments.words) }
        let session = try HWISession(
            command.globals, password: arguments.password, input: input,
            needsCVC: !(command is HWIEnumerate || command is HWIInstallUdevRules))
        let answer = try await command.answer(session)
        JSONAnswer.write(answer)
        return 0
    }

    /// The status of a process whose answer nobody may have got: a caller must not take that for success.
    static func confirmAnswered(_ status: Int32) -> Int32 {
        guard Console.hasLostOutput else { return status }
        Console(isJSON: true).note("\(name): The answer could not be written: \(Console.outputProblem).")
        return ErrorCode.cannotWrite.exitStatus.rawValue
    }

    private static var commands: [String] { HWIVerb.configuration.subcommands.map { $0._commandName } }

    /// The words on standard input, up to an empty line.
    private static func words(of input: StandardInputLines) throws -> [[UInt8]] {
        var words: [[UInt8]] = []
        while let line = try input.next(), !line.isEmpty {
            do { words += try ShellWords.split(line) } catch {
                throw HWIError(.missingArguments, "Standard input: a quotation does not end.")
            }
        }
        return words
    }

    private static func report(_ error: any Error) -> Int32 {
        let error = HWIError(unexpected: error)
        JSONAnswer.write(error)
        let lines = error.error.split(separator: "\n").map(String.init)
        Console(isJSON: true).note(lines: ["\(name): \(lines.first ?? "")"] + lines.dropFirst())
        return error.code == .missingArguments ? usageStatus : 0
    }

    /// Help and usage go to standard error, for standard output belongs to JSON; the version has no JSON.
    private static func reportParser(_ error: any Error, of words: [String]) -> Int32 {
        guard !HWIVerb.exitCode(for: error).isSuccess else {
            let text = HWIVerb.fullMessage(for: error)
            guard text != HWIVerb.configuration.version else {
                Console.write(text + "\n", to: STDOUT_FILENO)
                return 0
            }
            Console.write(text + "\n", to: STDERR_FILENO)
            JSONAnswer.write(HWIError(.helpText, "Help text requested"))
            return 0
        }
        let message = ParserMessage.neutralized(HWIVerb.fullMessage(for: error), repeating: words)
        Console(isJSON: true).note(
            lines: message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        JSONAnswer.write(HWIError(.missingArguments, "\(name): error: \(HWIVerb.message(for: error))"))
        return usageStatus
    }

    /// Overwrites passwords where `ps` would show them.
    private static func erasePasswords(_ words: ArraySlice<UnsafeMutablePointer<CChar>>) {
        var isNext = false
        for word in words {
            let text = String(cString: word)
            if isNext { memset(word, 0x2A, strlen(word)) }
            isNext = HWIArguments.asksForPassword(text)
            if let start = HWIArguments.attachedPassword(text), strlen(word) > start {
                memset(word + start, 0x2A, strlen(word) - start)
            }
        }
    }
}
