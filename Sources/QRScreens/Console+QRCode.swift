import Glibc
import QRCodes
import Terminal

extension Console {
    /// Draws a code in the text for the user.
    /// - Parameter option: what saves it to a file instead, as it is typed.
    /// - Throws: `QRCodeError` for a code that cannot be drawn at any width.
    package func draw(_ code: QRCode, orSaveBy option: String) throws(QRCodeError) {
        let descriptor = isJSON ? STDERR_FILENO : STDOUT_FILENO
        try Self.draw(
            code, to: descriptor, terminalType: EnvironmentVariable.value("TERM"),
            isASCII: TerminalStyle(of: descriptor).isASCII, orSaveBy: option)
    }

    /// Draws a code on a stream: coloured on a terminal, in plain blocks elsewhere. If the terminal is too narrow, it
    /// says how many columns are needed instead: a code with broken lines is useless.
    /// - Parameters:
    ///   - terminalType: the terminal type; a `dumb` one has no colours.
    ///   - isASCII: whether the locale has no blocks to draw with; then it says so.
    ///   - option: what saves it to a file instead, as it is typed.
    static func draw(
        _ code: QRCode, to descriptor: Int32, terminalType: String?, isASCII: Bool = false, orSaveBy option: String
    ) throws(QRCodeError) {
        guard !isASCII else { return write(lines: [QRScreen.needsBlocks(orSaveBy: option)], to: descriptor) }
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
