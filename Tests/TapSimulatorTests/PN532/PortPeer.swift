import Glibc

@testable import TapSimulator

/// A program at the chip's port, for tests: opens it, speaks, and waits at most as long as a test waits.
final class PortPeer {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private var descriptor: Int32
    private var received: [UInt8] = []

    /// Opens the port, wakes the chip up, and passes over what is left for the program before: everything up to the
    /// answer to a question that nobody asked before.
    init(_ path: String) throws {
        descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw Failure(description: "cannot open \(path): \(errno)") }
        tcflush(descriptor, TCIFLUSH)
        let token = withUnsafeBytes(of: UInt64.random(in: .min ... .max)) { Array($0) }
        var tries = 0
        while received.firstRange(of: [0xD5, 0x01, 0x00] + token) == nil || received.last != 0x00 {
            // The answer is lost while the line is full of what nobody read.
            if tries == 0 || !isReadable(milliseconds: 500) {
                guard tries < 60 else { throw Failure(description: "the chip is silent") }
                tries += 1
                write(ChipReply.wakeUp + ChipReply.frame([0x00, 0x00] + token))
            } else {
                try receive()
            }
        }
        // What answers the further tries.
        while isReadable(milliseconds: tries > 1 ? 500 : 0) { try receive() }
        received = []
    }

    deinit { close() }

    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    func write(_ bytes: [UInt8]) { _ = Glibc.write(descriptor, bytes, bytes.count) }

    /// Waits for replies, as many as asked for; no more may have come.
    func replies(_ count: Int) throws -> [ChipReply] {
        while true {
            if let replies = try ChipReply.all(in: received), replies.count >= count {
                received = []
                guard replies.count == count else { throw Failure(description: "more than \(count): \(replies)") }
                return replies
            }
            try receive()
        }
    }

    private func isReadable(milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) == 1
    }

    private func receive() throws {
        guard isReadable(milliseconds: 30_000) else { throw Failure(description: "nothing behind \(received)") }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let got = read(descriptor, &buffer, buffer.count)
        guard got > 0 else { throw Failure(description: "the port is gone: \(errno)") }
        received += buffer.prefix(got)
    }

    /// Sends a command, and gives its response.
    func send(_ command: [UInt8]) throws -> ChipReply {
        write(ChipReply.frame(command))
        let replies = try replies(2)
        guard replies[0] == .acknowledge else { throw Failure(description: "no acknowledgement: \(replies)") }
        return replies[1]
    }

    /// Finds the card.
    func activate() throws {
        guard case .response(let bytes) = try send([0x4A, 0x01, 0x00]), bytes.starts(with: [0x4B, 1, 1]) else {
            throw Failure(description: "no card")
        }
    }

    /// Sends an APDU to the card, and gives its answer.
    func transmit(_ apdu: [UInt8]) throws -> [UInt8] {
        guard case .response(let bytes) = try send([0x40, 0x01] + apdu), bytes.starts(with: [0x41, 0x00]) else {
            throw Failure(description: "no answer")
        }
        return Array(bytes.dropFirst(2))
    }
}
