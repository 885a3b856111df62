import CCurl
import Glibc
import Synchronization
import Threads

/// The receiver of a line stream. Called on the stream's thread.
protocol LineReceiver: AnyObject, Sendable {
    /// A line arrived, without its end.
    func received(_ line: [UInt8])

    /// Why the wait is too long; `nil` while it is not. Called several times a second.
    func patienceFault() -> ChainError?

    /// The stream has ended; nothing more arrives.
    func ended(_ error: ChainError)
}

/// A connection for lines in both directions, over TCP or TLS, with a thread of its own.
final class LineStream: Sendable {
    private struct State {
        var outgoing: [UInt8] = []
        var isClosed = false
        var hasPipe = true
    }

    private let state = Mutex(State())
    /// Writing a byte to it wakes the thread.
    private let pipe: (read: Int32, write: Int32)
    private let longestLine: Int
    private let budget: ByteBudget

    private init?(longestLine: Int, _ budget: ByteBudget) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        pipe = (ends[0], ends[1])
        self.longestLine = longestLine
        self.budget = budget
    }

    /// Connects.
    /// - Parameters:
    ///   - receiver: kept until the stream has ended.
    ///   - budget: the bytes that may arrive.
    static func open(
        _ connector: LineConnector, _ receiver: any LineReceiver, _ budget: ByteBudget
    ) async throws(ChainError) -> LineStream {
        guard let stream = LineStream(longestLine: connector.settings.longestAnswer, budget) else {
            throw .unsupported("the system has no file descriptor left")
        }
        let opened = OneAnswer<LineStream>()
        let hasThread = DetachedThread.run {
            do throws(ChainError) {
                let handle = try connector.connect { stream.isClosed }
                opened.give(.success(stream))
                stream.run(handle, receiver)
            } catch {
                stream.dropPipe()
                opened.give(.failure(error))
            }
        }
        guard hasThread else {
            stream.dropPipe()
            throw .unsupported("the system cannot start another thread")
        }
        return try await opened.value { stream.close() }.get()
    }

    /// Queues bytes, including the line's end.
    func send(_ bytes: [UInt8]) {
        state.withLock {
            $0.outgoing += bytes
            wake($0)
        }
    }

    /// Ends the stream.
    func close() {
        state.withLock {
            $0.isClosed = true
            wake($0)
        }
    }

    private var isClosed: Bool { state.withLock { $0.isClosed } }

    private func wake(_ state: State) {
        guard state.hasPipe else { return }
        var byte: UInt8 = 0
        _ = Glibc.write(pipe.write, &byte, 1)
    }

    private func dropPipe() {
        state.withLock {
            $0.hasPipe = false
            Glibc.close(pipe.read)
            Glibc.close(pipe.write)
        }
    }

    private func run(_ handle: CurlHandle, _ receiver: any LineReceiver) {
        var fault = ChainError.cancelled
        do throws(ChainError) {
            var unsent: ArraySlice<UInt8> = []
            var lines = LineBuffer(longest: longestLine)
            while !isClosed {
                if unsent.isEmpty {
                    unsent = state.withLock { state in
                        defer { state.outgoing = [] }
                        return state.outgoing[...]
                    }
                }
                try write(&unsent, handle)
                let isDry = try read(&lines, handle, receiver)
                if let impatience = receiver.patienceFault() { throw impatience }
                if isDry { try wait(handle, isSending: !unsent.isEmpty) }
            }
        } catch { fault = error }
        dropPipe()
        receiver.ended(fault)
    }

    private func write(_ unsent: inout ArraySlice<UInt8>, _ handle: CurlHandle) throws(ChainError) {
        while !unsent.isEmpty {
            var sent = 0
            let status = unsent.withUnsafeBytes { curl_easy_send(handle.pointer, $0.baseAddress, $0.count, &sent) }
            if status == CURLE_AGAIN { return }
            guard status == CURLE_OK else { throw .unreachable(.closed, detail: handle.detail) }
            unsent = unsent.dropFirst(sent)
        }
    }

    /// - Returns: whether nothing is left to read for now.
    private func read(
        _ lines: inout LineBuffer, _ handle: CurlHandle, _ receiver: any LineReceiver
    ) throws(ChainError) -> Bool {
        // Not endlessly, even if data keeps arriving: time limits must be checked, and data sent.
        for _ in 0..<64 where !isClosed {
            var count = 0
            let status = lines.withPiece { curl_easy_recv(handle.pointer, $0.baseAddress, $0.count, &count) }
            if status == CURLE_AGAIN { return true }
            guard status == CURLE_OK, count > 0 else { throw .unreachable(.closed, detail: handle.detail) }
            guard budget.take(count) else { throw budget.refusal }
            for line in try lines.take(count) { receiver.received(line) }
        }
        return false
    }

    private func wait(_ handle: CurlHandle, isSending: Bool) throws(ChainError) {
        var socket = curl_socket_t()
        guard tapkit_curl_get_socket(handle.pointer, &socket) == CURLE_OK, socket >= 0 else {
            throw .unreachable(.closed, detail: "")
        }
        let events = Int16(POLLIN) | (isSending ? Int16(POLLOUT) : 0)
        var watched = [
            pollfd(fd: socket, events: events, revents: 0), pollfd(fd: pipe.read, events: Int16(POLLIN), revents: 0),
        ]
        poll(&watched, nfds_t(watched.count), 200)
        var drained = [UInt8](repeating: 0, count: 256)
        while Glibc.read(pipe.read, &drained, drained.count) == drained.count {}
    }
}
