import Glibc
import QRCodes
import Terminal

extension Console {
    /// Draws a code in the text for the user.
    /// - Parameter option: what saves it to a file instead, as it is typed.
    /// - Throws: `QRCodeError` for a code that cannot be drawn at any width.
    package func draw(_ code: QRCode, orSaveBy option: String) throws(QRCodeError) {
        try Self.draw(
            code, to: isJSON ? STDERR_FILENO : STDOUT_FILENO, terminalType: EnvironmentVariable.value("TERM"),
            orSaveBy: option)
    }

    /// Draws a code on a stream: coloured on a terminal, in plain blocks elsewhere. If the terminal is too narrow, it
    /// says how many columns are needed instead: a code with broken lines is useless.
    /// - Parameters:
    ///   - terminalType: the terminal type; a `dumb` one has no colours.
    ///   - option: what saves it to a file instead, as it is typed.
    static func draw(
        _ code: QRCode, to descriptor: Int32, terminalType: String?, orSaveBy option: String
    ) throws(QRCodeError) {
        let isColoured = isatty(descriptor) == 1 && terminalType != "dumb"
        do throws(QRCodeError) {
            let columns = TerminalRoom(of: descriptor).columns
            write(try code.terminalText(isColoured ? .coloured : .plain, columns: columns), to: descriptor)
        } catch {
            guard case .terminalTooNarrow = error else { throw error }
            let way = "Widen it, or save the code to a file: \(option)."
            write(lines: ["\(error.message) \(way)"], to: descriptor)
        }
    }
}
