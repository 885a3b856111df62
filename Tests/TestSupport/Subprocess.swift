import Foundation

/// A program run to its end: what it was given and what came of it.
///
/// Output goes to temporary files, not pipes, so a program that writes much, or leaves a child behind that keeps its
/// standard output open, holds nobody up.
public struct Subprocess: Sendable {
    /// How a program ended.
    public enum Ending: Sendable, Equatable {
        /// By itself, with this exit status.
        case exited(Int32)
        /// By this signal.
        case signalled(Int32)
        /// Killed here because its time was up.
        case timedOut
    }

    /// The program's path and arguments, for messages.
    public let commandLine: String
    /// How it ended.
    public let ending: Ending
    /// What it wrote to standard output.
    public let output: Data
    /// What it wrote to standard error.
    public let errorOutput: Data

    /// The exit status, if the program ended by itself.
    public var status: Int32? {
        if case .exited(let status) = ending { status } else { nil }
    }

    /// Standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }

    /// Standard error as text.
    public var errorText: String { String(decoding: errorOutput, as: UTF8.self) }

    /// Standard output read as one JSON object.
    /// - Throws: `Failure` with everything the program wrote when it is none.
    public func json() throws -> [String: Any] {
        guard let object = try? JSONSerialization.jsonObject(with: output) as? [String: Any] else {
            throw Failure(message: "No JSON object on standard output", of: self)
        }
        return object
    }

    /// This run, if it ended with status 0.
    /// - Throws: `Failure` with everything the program wrote otherwise.
    @discardableResult
    public func succeeded() throws -> Subprocess {
        guard ending == .exited(0) else { throw Failure(message: "Ended with \(ending)", of: self) }
        return self
    }

    /// A program did not do what a test needs of it; the description has all it wrote.
    public struct Failure: Error, CustomStringConvertible {
        /// What happened, the command line and both outputs.
        public let description: String

        /// Describes a run.
        public init(message: String, of run: Subprocess) {
            description = "\(message): \(run.commandLine)\n--- stdout\n\(run.text)\n--- stderr\n\(run.errorText)"
        }
    }
}

extension Subprocess {
    /// Runs a program to its end.
    /// - Parameters:
    ///   - program: a path, or a name that is looked up in `PATH`.
    ///   - arguments: its arguments.
    ///   - input: its standard input.
    ///   - environment: variables set on top of this process's own; `nil` removes one.
    ///   - directory: its working directory.
    ///   - timeout: after so long the program and its children are killed.
    /// - Throws: when the program cannot be started.
    public static func run(
        _ program: String, _ arguments: [String] = [], input: Data = Data(), environment: [String: String?] = [:],
        directory: URL? = nil, timeout: Duration = .seconds(120)
    ) async throws -> Subprocess {
        let files = try TemporaryFolder()
        let inputFile = files.url.appendingPathComponent("stdin")
        try input.write(to: inputFile)
        let output = files.url.appendingPathComponent("stdout")
        let errorOutput = files.url.appendingPathComponent("stderr")

        let ending = try await turnstile.pass {
            // Opened here, and not before: whoever waits for a turn has no descriptors, of which there must not be a thousand.
            let streams = [
                try FileHandle(forReadingFrom: inputFile), try FileHandle.created(at: output),
                try FileHandle.created(at: errorOutput),
            ]
            let process = try ChildProcess(
                program, arguments, environment: environment, directory: directory,
                streams: streams.map(\.fileDescriptor))
            for stream in streams { try stream.close() }
            return await process.ending(timeout: timeout)
        }
        return Subprocess(
            commandLine: ([program] + arguments).joined(separator: " "), ending: ending,
            output: try Data(contentsOf: output), errorOutput: try Data(contentsOf: errorOutput))
    }

    /// So many programs that tests wait for run at once: more would keep a small machine from serving cards and chain
    /// servers in time. Those that run beside a test (`InteractiveProcess`) are not counted.
    static let turnstile = Turnstile(places: 10)

    /// Where a program stands: the path itself, or the first match in `PATH`.
    /// - Throws: when there is none.
    public static func locate(_ program: String) throws -> URL {
        if program.contains("/") { return URL(fileURLWithPath: program) }
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        guard
            let path = folders.map({ "\($0)/\(program)" }).first(where: FileManager.default.isExecutableFile(atPath:))
        else { throw ProgramNotFound(program: program) }
        return URL(fileURLWithPath: path)
    }

    /// A program that a test needs is not in `PATH`; `udev/setup.sh` installs those that Debian has.
    public struct ProgramNotFound: Error {
        /// Its name.
        public let program: String
    }
}

extension FileHandle {
    /// A new, empty file, open for writing.
    static func created(at url: URL) throws -> FileHandle {
        try Data().write(to: url)
        return try FileHandle(forWritingTo: url)
    }
}
