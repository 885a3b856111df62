import Bitcoin
import Glibc

/// Lines typed by the user, or the first line of a file.
package enum TerminalLine {
    private static let maximumLength = 1024

    /// Whether there is a terminal with this process in its foreground; reading from the background would stop the
    /// process.
    package static var isOurs: Bool {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }

    /// Waits until a terminal or pipe has input, or has ended.
    /// - Throws: `InputError.interrupted` on Ctrl-C.
    package static func waitForInput(_ descriptor: Int32) throws(InputError) {
        var sources = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: Interruption.shared.readEnd, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let count = poll(&sources, nfds_t(sources.count), -1)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return }
            guard sources[1].revents == 0 else { throw InputError.interrupted }
            if sources[0].revents != 0 { return }
        }
    }

    /// The same for the answer to a question. Ctrl-C ends the question's line, so that nothing is written over it.
    /// - Throws: `InputError.interrupted` on Ctrl-C.
    package static func waitForAnswer(on terminal: Int32) throws(InputError) {
        do throws(InputError) { try waitForInput(terminal) } catch {
            Console.write("\n", to: terminal)
            throw error
        }
    }

    /// Bytes up to the first line end, read one at a time so that nothing after it is consumed; empty at the end of input.
    package static func bytes(from descriptor: Int32) throws(InputError) -> [UInt8] {
        try typed(on: descriptor) ?? []
    }

    /// The first line, read in the same way.
    /// - Returns: `nil` if the input ended before anything was typed, as with Ctrl-D.
    package static func typed(on descriptor: Int32) throws(InputError) -> [UInt8]? {
        var line: [UInt8] = []
        line.reserveCapacity(maximumLength)
        while line.count < maximumLength {
            var byte: UInt8 = 0
            let count = Glibc.read(descriptor, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN {
                do throws(InputError) { try waitForInput(descriptor) } catch {
                    line.wipe()
                    throw error
                }
                continue
            }
            guard count >= 0 else {
                let error = InputError.unreadable(stream: "The line")
                line.wipe()
                throw error
            }
            if count == 0 && line.isEmpty { return nil }
            if count == 0 || byte == UInt8(ascii: "\n") { break }
            line.append(byte)
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line
    }
}
