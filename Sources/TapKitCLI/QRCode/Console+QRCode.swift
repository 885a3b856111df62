import Glibc

extension Console {
    /// Draws a code where people's text goes.
    func draw(_ code: QRCode) throws(Failure) {
        let type: UnsafeMutablePointer<CChar>? = getenv("TERM")
        let descriptor = isJSON ? STDERR_FILENO : STDOUT_FILENO
        try Self.draw(code, to: descriptor, terminalType: type.map { String(cString: $0) })
    }

    /// Draws a code on a stream: coloured on a terminal, in plain blocks elsewhere. On a terminal that is too narrow it
    /// says so instead, and how many columns it takes: a code with broken lines helps nobody.
    /// - Parameter terminalType: what the environment calls the terminal; a `dumb` one knows no colours.
    static func draw(_ code: QRCode, to descriptor: Int32, terminalType: String?) throws(Failure) {
        let isTerminal = isatty(descriptor) == 1
        let isColoured = isTerminal && terminalType != "dumb"
        do throws(QRCodeError) {
            let columns = isTerminal ? columns(of: descriptor) : nil
            write(try code.terminalText(isColoured ? .coloured : .plain, columns: columns), to: descriptor)
        } catch .terminalTooNarrow(let needed, let columns) {
            let words = "The QR code needs \(needed) columns; this terminal has \(columns)."
            write("\(words) \(QRCode.narrowTerminalHint)\n", to: descriptor)
        } catch {
            throw Failure(error)
        }
    }

    /// How many columns a terminal has; `nil` when it does not say.
    private static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
