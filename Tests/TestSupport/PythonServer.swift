import Foundation
import Glibc

/// One Python with the judges' libraries for all tests of a run: what a script is asked is answered by a copy of it, as
/// importing them takes longer than what most scripts do. It ends with the run. See `Tests/Interop/serve.py`.
final class PythonServer: Sendable {
    private let process: ChildProcess
    private let port: UInt16
    private let errors: TemporaryFolder
    /// Our end of its standard input: it ends when that is closed.
    private let lifeline: FileHandle

    /// Starts it.
    init(_ environment: PythonEnvironment) throws {
        let listener = try LoopbackListener()
        port = listener.port
        errors = try TemporaryFolder()
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0, &ends) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        lifeline = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let theirs = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        let errorFile = try FileHandle.created(at: errors.url.appendingPathComponent("stderr"))
        // The listener closes with its last reference, which must not be before the process has its own.
        process = try withExtendedLifetime(listener) {
            try ChildProcess(
                environment.command("python"), [PythonEnvironment.script("serve.py")],
                environment: PythonEnvironment.variables,
                streams: [theirs.fileDescriptor, listener.descriptor, errorFile.fileDescriptor])
        }
        try theirs.close()
        try errorFile.close()
    }

    deinit { process.killGroup() }

    /// Runs a script of `Tests/Interop`.
    /// - Parameter input: its standard input.
    /// - Returns: how it ended, and what it wrote.
    /// - Throws: `NoAnswer` when the script or the server was killed.
    func run(_ script: String, input: Data) async throws -> Subprocess {
        let answer = try await Subprocess.turnstile.pass { [port] in
            try await BlockingThread.run {
                let connection = try LoopbackSocket(port: port, limit: 150)
                try connection.write(Array("\(script)\n".utf8) + input)
                connection.endWriting()
                return Data(try connection.readToEnd())
            }
        }
        guard let answer = try? JSONDecoder().decode(Answer.self, from: answer) else {
            let errors = try? String(contentsOf: errors.url.appendingPathComponent("stderr"), encoding: .utf8)
            throw NoAnswer(description: "\(script) did not answer: \(errors ?? "")")
        }
        return Subprocess(
            commandLine: script, ending: .exited(answer.status), output: Data(answer.output.utf8),
            errorOutput: Data(answer.errors.utf8))
    }

    private struct Answer: Decodable {
        let status: Int32
        let output: String
        let errors: String
    }

    struct NoAnswer: Error, CustomStringConvertible {
        let description: String
    }
}
