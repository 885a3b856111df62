import Glibc

/// The process's standard streams: answers go to standard output, people's text to standard error or output.
struct Console: Sendable {
    /// Whether the answer is one JSON object, which moves people's text to standard error.
    let isJSON: Bool

    /// Writes a line of the answer for people: to standard output, or to standard error beside JSON.
    func say(_ line: String = "") { Self.write(line + "\n", to: isJSON ? STDERR_FILENO : STDOUT_FILENO) }

    /// Writes a line that is never part of an answer (progress, warnings, prompts): to standard error.
    func note(_ line: String) { Self.write(line + "\n", to: STDERR_FILENO) }

    /// Whether standard error is a terminal, so that progress may redraw its line.
    var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// How many columns the terminal behind standard error has; 80 when unknown.
    var width: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Redraws the current line of the terminal behind standard error; an empty text clears it.
    func redraw(_ line: String) {
        let visible = String(line.prefix(max(1, width - 1)))
        Self.write("\r\u{1B}[K" + visible, to: STDERR_FILENO)
    }

    /// Writes all bytes of a text; a closed or full stream is not an error here, since no answer depends on it.
    @discardableResult
    static func write(_ text: String, to descriptor: Int32) -> Bool { write(Array(text.utf8), to: descriptor) }

    /// Writes all bytes; false when the stream takes no more.
    @discardableResult
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let count = Glibc.write(descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
                if count < 0 {
                    if errno == EINTR || errno == EAGAIN { continue }
                    return false
                }
                offset += count
            }
            return true
        }
    }
}
