import Foundation
import Glibc
import SmartCard

/// Bitcoin Core's script verification in a process of its own, one for all tests of a run: it is asked in lines of JSON, and
/// ends with the run. See `Tests/Interop/script_kernel.py`.
actor ScriptKernel {
    static let shared = ScriptKernel()

    private let thread = CardThread()
    /// A thread of its own, which may wait.
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private var running: Running?

    /// Asks for verdicts.
    /// - Parameter request: a JSON object in one line.
    /// - Returns: the answer, in one line.
    /// - Throws: `Fault` with what the process wrote to its standard error when it ends instead of answering.
    func answer(to request: Data, in environment: PythonEnvironment) throws -> Data {
        let process = try running ?? Running(environment)
        running = process
        do { return try process.answer(to: request) } catch {
            running = nil
            throw error
        }
    }

    /// The process did not answer.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// The process, and our end of the socket that is its standard input and output.
    private final class Running {
        private let process: ChildProcess
        private let socket: FileHandle
        private let files: TemporaryFolder

        init(_ environment: PythonEnvironment) throws {
            var ends: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0, &ends) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            socket = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
            let theirs = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
            files = try TemporaryFolder()
            let errors = try FileHandle.created(at: files.url.appendingPathComponent("stderr"))
            process = try ChildProcess(
                environment.command("python"), [PythonEnvironment.script("script_kernel.py")],
                environment: PythonEnvironment.variables, streams: [ends[1], ends[1], errors.fileDescriptor])
            try theirs.close()
            try errors.close()
        }

        deinit { process.killGroup() }

        func answer(to request: Data) throws -> Data {
            try send(request + [UInt8(ascii: "\n")])
            var answer = Data()
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while answer.last != UInt8(ascii: "\n") {
                let count = recv(socket.fileDescriptor, &buffer, buffer.count, 0)
                guard count > 0 else { throw fault() }
                answer += buffer.prefix(count)
            }
            return answer
        }

        private func send(_ data: Data) throws {
            var rest = data[...]
            while !rest.isEmpty {
                // A process that is gone must not end the tests with a signal.
                let count = rest.withUnsafeBytes {
                    Glibc.send(socket.fileDescriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw fault() }
                rest = rest.dropFirst(count)
            }
        }

        private func fault() -> Fault {
            let errors = try? String(contentsOf: files.url.appendingPathComponent("stderr"), encoding: .utf8)
            return Fault(description: "script_kernel.py did not answer: \(errors ?? "")")
        }
    }
}
