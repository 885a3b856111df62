import Foundation
import Glibc

/// A program that runs beside a test, such as `tapkit sim serve`, until it is told to end.
///
/// Whatever happens to the test, the program is gone when the last reference is. Its standard input stays open and
/// silent as long, and ends even when the test process is killed; its output goes to files, as with `Subprocess`.
public final class InteractiveProcess: Sendable {
    private let process: ChildProcess
    private let commandLine: String
    private let files: TemporaryFolder
    private let input = Pipe()

    /// Starts a program; see `Subprocess.run` for the other parameters.
    /// - Parameter terminal: a descriptor for its standard input, in place of one that stays silent.
    public init(
        _ program: String, _ arguments: [String] = [], environment: [String: String?] = [:], directory: URL? = nil,
        terminal: Int32? = nil
    ) throws {
        commandLine = ([program] + arguments).joined(separator: " ")
        files = try TemporaryFolder()
        let output = try FileHandle.created(at: files.url.appendingPathComponent("stdout"))
        let errorOutput = try FileHandle.created(at: files.url.appendingPathComponent("stderr"))
        process = try ChildProcess(
            program, arguments, environment: environment, directory: directory,
            streams: [
                terminal ?? input.fileHandleForReading.fileDescriptor, output.fileDescriptor,
                errorOutput.fileDescriptor,
            ])
        try output.close()
        try errorOutput.close()
    }

    deinit { process.killGroup() }

    /// The process id.
    public var identifier: Int32 { process.identifier }

    /// Whether it has not ended yet.
    public var isRunning: Bool { process.isRunning }

    /// Everything on standard output so far.
    public var text: String { read("stdout") }

    /// Everything on standard error so far.
    public var errorText: String { read("stderr") }

    /// Waits until a line of standard output satisfies a condition.
    /// - Returns: the line, without its end.
    /// - Throws: `Subprocess.Failure` when the program ends first or time is up.
    @discardableResult
    public func line(
        timeout: Duration = .seconds(60), where condition: @Sendable (String) -> Bool = { _ in true }
    ) async throws -> String {
        let deadline = ContinuousClock.now + timeout
        while true {
            let running = process.isRunning
            if let line = completeLines.first(where: condition) { return line }
            guard running, ContinuousClock.now < deadline else {
                throw Subprocess.Failure(
                    message: running ? "Waited in vain for a line" : "Ended before the line came",
                    of: Subprocess(
                        commandLine: commandLine, ending: try await ending(timeout: .zero),
                        output: Data(text.utf8), errorOutput: Data(errorText.utf8)))
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Asks the program to end with a signal, `SIGTERM` unless told otherwise, and waits; kills it when it does not.
    /// - Returns: how it ended.
    @discardableResult
    public func stop(signal: Int32 = SIGTERM, timeout: Duration = .seconds(60)) async throws -> Subprocess.Ending {
        if process.isRunning { Glibc.kill(process.identifier, signal) }
        return try await ending(timeout: timeout)
    }

    /// Kills the program and what it started in its group, and waits for its end.
    public func kill() async {
        process.killGroup()
        _ = await process.ending(timeout: .zero)
    }

    /// Waits for the program's own end; kills it when time is up.
    public func ending(timeout: Duration = .seconds(60)) async throws -> Subprocess.Ending {
        await process.ending(timeout: timeout)
    }

    /// The lines of standard output that have come to their end.
    private var completeLines: [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    private func read(_ name: String) -> String {
        let contents = try? Data(contentsOf: files.url.appendingPathComponent(name))
        return String(decoding: contents ?? Data(), as: UTF8.self)
    }
}
