import Glibc
import QRCodes

extension Console {
    /// Draws a code where people's text goes.
    func draw(_ code: QRCode) throws(Failure) {
        try Self.draw(
            code, to: isJSON ? STDERR_FILENO : STDOUT_FILENO, terminalType: EnvironmentVariable.value("TERM"))
    }

    /// Draws a code on a stream: coloured on a terminal, in plain blocks elsewhere. On a terminal that is too narrow it
    /// says so instead, and how many columns it takes: a code with broken lines helps nobody.
    /// - Parameter terminalType: what the environment calls the terminal; a `dumb` one knows no colours.
    static func draw(_ code: QRCode, to descriptor: Int32, terminalType: String?) throws(Failure) {
        let isColoured = isatty(descriptor) == 1 && terminalType != "dumb"
        do throws(QRCodeError) {
            let columns = TerminalRoom(of: descriptor).columns
            write(try code.terminalText(isColoured ? .coloured : .plain, columns: columns), to: descriptor)
        } catch {
            guard case .terminalTooNarrow = error else { throw Failure(error) }
            let way = "Make it wider, or write the code to a file: \(QRCodeFile.option)."
            write("\(error.message) \(way)\n", to: descriptor)
        }
    }
}
