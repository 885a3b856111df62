import Bitcoin
import Glibc

/// Lines to and from a pinentry, with limits on each answer's time and size.
///
/// Received bytes pass only through memory that is wiped, and become text only if they are an error message.
final class AssuanConnection {
    /// The longest PIN, in bytes.
    static let maximumPIN = 255
    /// The most lines of one answer, with status lines and comments.
    private static let maximumLineCount = 200

    private let input: Int32
    private let output: Int32
    private let interruption: Int32
    private let received = WipedBuffer(count: AssuanCommand.maximumLength)
    private var receivedCount = 0
    private let pin = WipedBuffer(count: maximumPIN)
    private var pinCount = 0

    /// - Parameters:
    ///   - output: where commands are written.
    ///   - input: where answers are read.
    ///   - interruption: becomes readable when the user interrupts.
    init(output: Int32, input: Int32, interruption: Int32) {
        (self.output, self.input, self.interruption) = (output, input, interruption)
    }

    /// Waits for the greeting.
    /// - Throws: `PinentryError`, also when anything else arrives.
    func greeting(within limit: Duration) throws(PinentryError) {
        guard case .ok = try answer(within: limit) else { throw .garbage("it did not send a greeting") }
        guard pinCount == 0 else { throw .garbage("its greeting contains data") }
    }

    /// Sends a command.
    /// - Returns: whether the pinentry knows it and carried it out.
    func tell(_ command: AssuanCommand, within limit: Duration) throws(PinentryError) -> Bool {
        try send(command)
        let answer = try answer(within: limit)
        guard pinCount == 0 else { throw .garbage("its answer to a setting contains data") }
        if case .ok = answer { return true }
        return false
    }

    /// Sends a command whose answer is a PIN.
    func ask(_ command: AssuanCommand, within limit: Duration) throws(PinentryError) -> SecretBytes {
        defer {
            pin.wipe()
            pinCount = 0
        }
        try send(command)
        switch try answer(within: limit) {
        case .ok: return SecretBytes(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(pin.bytes)[..<pinCount]))
        case .error(let code, let text): throw Self.failure(code, text)
        case .data, .remark: throw .garbage("its answer has no end")
        }
    }

    /// Sends BYE, without waiting for the answer.
    func leave() { try? send(AssuanCommand("BYE")) }

    private static func failure(_ code: Int, _ text: String) -> PinentryError {
        switch code {
        case AssuanAnswer.Code.cancelled, AssuanAnswer.Code.fullyCancelled, AssuanAnswer.Code.notConfirmed: .cancelled
        case AssuanAnswer.Code.timedOut: .timedOut
        case AssuanAnswer.Code.noPinentry: .nowhereToAsk
        case let code where AssuanAnswer.Code.noTerminal.contains(code): .nowhereToAsk
        default: .refused(text.isEmpty ? "error \(code)" : text)
        }
    }

    private func send(_ command: AssuanCommand) throws(PinentryError) {
        var rest = command.line[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw .ended }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads lines up to `OK` or `ERR`; data is kept in `pin`.
    private func answer(within limit: Duration) throws(PinentryError) -> AssuanAnswer {
        let deadline = ContinuousClock.now + limit
        for _ in 0..<Self.maximumLineCount {
            let length = try lineLength(by: deadline)
            let line = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(received.bytes)[..<length])
            defer { drop(length + 1) }
            guard let answer = AssuanAnswer(line) else { throw .garbage("it sent a line that is not an answer") }
            switch answer {
            case .ok, .error: return answer
            case .data(let start): try keep(UnsafeRawBufferPointer(rebasing: line[start...]))
            case .remark: continue
            }
        }
        throw .garbage("its answer has more than \(Self.maximumLineCount) lines")
    }

    /// Waits for a whole line.
    /// - Returns: its length without its end; it is at the start of the received bytes.
    private func lineLength(by deadline: ContinuousClock.Instant) throws(PinentryError) -> Int {
        while true {
            if let end = received.bytes[..<receivedCount].firstIndex(of: UInt8(ascii: "\n")) { return end }
            guard receivedCount < received.bytes.count else {
                throw .garbage("it sent a line of more than \(received.bytes.count) bytes")
            }
            try waitForInput(by: deadline)
            let free = UnsafeMutableRawBufferPointer(rebasing: received.bytes[receivedCount...])
            let count = read(input, free.baseAddress, free.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw .ended }
            receivedCount += count
        }
    }

    private func waitForInput(by deadline: ContinuousClock.Instant) throws(PinentryError) {
        var sources = [
            pollfd(fd: input, events: Int16(POLLIN), revents: 0),
            pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw .timedOut }
            let count = poll(&sources, nfds_t(sources.count), Int32(min(60_000, left / .milliseconds(1)) + 1))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .ended }
            if sources[1].revents != 0 { throw .interrupted }
            if sources[0].revents != 0 { return }
        }
    }

    /// Moves everything after the first `count` bytes to the start, and wipes the rest.
    private func drop(_ count: Int) {
        let rest = receivedCount - count
        guard let base = received.bytes.baseAddress, rest >= 0 else { return }
        memmove(base, base + count, rest)
        explicit_bzero(base + rest, count)
        receivedCount = rest
    }

    /// Decodes a data line into `pin`.
    private func keep(_ data: UnsafeRawBufferPointer) throws(PinentryError) {
        var index = 0
        while index < data.count {
            var byte = data[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard index + 1 < data.count, let high = Self.value(data[index]), let low = Self.value(data[index + 1])
                else { throw .garbage("it sent a percent sign without two digits") }
                byte = high << 4 | low
                index += 2
            }
            guard pinCount < pin.bytes.count else {
                throw .garbage("it sent a PIN of more than \(pin.bytes.count) bytes")
            }
            pin.bytes[pinCount] = byte
            pinCount += 1
        }
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
