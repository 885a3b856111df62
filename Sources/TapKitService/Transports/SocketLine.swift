import Bitcoin
import Glibc
import LocalSockets
import Synchronization

/// One program's connection, served by a thread of its own, which reads its lines and sends what is meant for it.
final class SocketLine: ClientConnection {
    private struct Outgoing {
        /// The lines up to `next` are sent, and empty.
        var lines: [[UInt8]] = []
        /// The line that is being sent.
        var next = 0
        /// How many bytes of it are sent.
        var sent = 0
        var isEnding = false
        var isOver = false
    }

    /// Why the thread looks up.
    private enum News { case ready, timedOut, over }

    private static let bufferSize = 65_536

    private let descriptor: Int32
    private let limits: ServiceLimits
    private let wakeUp: WakeUp
    private let outgoing = Mutex(Outgoing())
    private let unsent = UnsentBytes()

    /// Takes over a descriptor that does not block; if it throws, the caller keeps it.
    init(_ descriptor: Int32, _ processor: ServiceProcessor) throws(LocalSocketError) {
        wakeUp = try WakeUp()
        (self.descriptor, limits) = (descriptor, processor.limits)
    }

    deinit { close(descriptor) }

    // MARK: For the processor

    func send(_ line: [UInt8]) {
        outgoing.withLock { outgoing in
            guard !outgoing.isOver else { return }
            outgoing.lines.append(line)
            // Whoever reads nothing must not fill the memory.
            if unsent.add(line.count) > limits.unreadBytes { outgoing.isOver = true }
        }
        wakeUp.call()
    }

    func room() async { await unsent.room() }

    func end() {
        outgoing.withLock { $0.isEnding = true }
        wakeUp.call()
        unsent.end()
    }

    // MARK: The thread

    /// Serves the program until one of both ends it. Blocks its thread.
    func run(_ client: ServiceClient) {
        var reader = LineReader(longest: limits.lineLength)
        var lineStart: ContinuousClock.Instant?
        var isReading = true
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: 16)
        defer {
            buffer.wipe()
            buffer.deallocate()
            over()
            client.leave()
        }
        while true {
            switch news(isReading: isReading, until: lineStart.map { $0 + limits.lineTime }) {
            case .over: return
            case .timedOut:
                client.receiveTooSlow()
                flush()
                return
            case .ready: break
            }
            guard isReading else { continue }
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count == 0 {
                // It may have only finished asking, and still wait for answers.
                isReading = false
                lineStart = nil
                client.receiveEnd()
                continue
            }
            guard count > 0 else {
                guard errno == EAGAIN || errno == EINTR else { return }
                continue
            }
            let received = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            reader.append(UnsafeRawBufferPointer(received))
            received.wipe()
            while let line = reader.next() {
                lineStart = nil
                switch line {
                case .whole(let bytes): client.receive(bytes)
                case .tooLong: client.receiveTooLong()
                }
            }
            lineStart = reader.isBegun ? lineStart ?? ContinuousClock.now : nil
        }
    }

    /// Sends what is left, if it is read in time. Blocks its thread.
    func flush() {
        outgoing.withLock { $0.isEnding = true }
        while true { if case .ready = news(isReading: false, until: nil) { continue } else { return over() } }
    }

    /// Waits for something to read, and sends meanwhile.
    /// - Parameter deadline: when the rest of a line must have come.
    private func news(isReading: Bool, until deadline: ContinuousClock.Instant?) -> News {
        guard sendSome() else { return .over }
        let (hasMore, isEnding) = outgoing.withLock { ($0.next < $0.lines.count, $0.isEnding) }
        guard hasMore || !isEnding else { return .over }
        let reads = isReading && !isEnding
        let now = ContinuousClock.now
        let patience = hasMore ? now + limits.readingTime : nil
        let end = [deadline, patience].compactMap(\.self).min()
        let events = (reads ? POLLIN : 0) | (hasMore ? POLLOUT : 0)
        switch wakeUp.wait(for: descriptor, events, milliseconds: WakeUp.milliseconds(to: end, now)) {
        case .failed: return .over
        case .timedOut: return end == deadline ? .timedOut : .over
        case .woken: return .ready
        case .done:
            // Without anything to wait for, only the program's end is reported.
            return reads || hasMore ? .ready : .over
        }
    }

    /// - Returns: false if the connection is over.
    private func sendSome() -> Bool {
        outgoing.withLock { outgoing in
            while outgoing.next < outgoing.lines.count, !outgoing.isOver {
                let line = outgoing.lines[outgoing.next]
                let count = line.withUnsafeBytes { bytes in
                    Glibc.send(
                        descriptor, bytes.baseAddress.map { $0 + outgoing.sent }, bytes.count - outgoing.sent,
                        Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return errno == EAGAIN || errno == EINTR }
                outgoing.sent += count
                unsent.remove(count)
                guard outgoing.sent == line.count else { continue }
                outgoing.lines[outgoing.next] = []
                outgoing.next += 1
                outgoing.sent = 0
            }
            if outgoing.next == outgoing.lines.count { (outgoing.lines, outgoing.next) = ([], 0) }
            return !outgoing.isOver
        }
    }

    private func over() {
        outgoing.withLock { outgoing in
            outgoing.isOver = true
            (outgoing.lines, outgoing.next) = ([], 0)
        }
        shutdown(descriptor, Int32(SHUT_RDWR))
        unsent.end()
    }
}
