import Glibc
import QRCodes
import Terminal

extension Console {
    /// Draws a code in the text for the user.
    func draw(_ code: QRCode) throws(Failure) {
        try Self.draw(
            code, to: isJSON ? STDERR_FILENO : STDOUT_FILENO, terminalType: EnvironmentVariable.value("TERM"))
    }

    /// Draws a code on a stream: coloured on a terminal, in plain blocks elsewhere. If the terminal is too narrow, it
    /// says how many columns are needed instead: a code with broken lines is useless.
    /// - Parameter terminalType: the terminal type; a `dumb` one has no colours.
    static func draw(_ code: QRCode, to descriptor: Int32, terminalType: String?) throws(Failure) {
        let isColoured = isatty(descriptor) == 1 && terminalType != "dumb"
        do throws(QRCodeError) {
            let columns = TerminalRoom(of: descriptor).columns
            write(try code.terminalText(isColoured ? .coloured : .plain, columns: columns), to: descriptor)
        } catch {
            guard case .terminalTooNarrow = error else { throw Failure(error) }
            let way = "Widen it, or save the code to a file: \(QRCodeFile.option)."
            write(lines: ["\(error.message) \(way)"], to: descriptor)
        }
    }
}
