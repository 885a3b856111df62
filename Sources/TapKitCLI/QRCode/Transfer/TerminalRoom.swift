import Glibc

/// How much a terminal's window has room for.
struct TerminalRoom: Equatable {
    /// Its columns; `nil` when nothing limits them.
    let columns: Int?
    /// Its lines; `nil` when nothing limits them.
    let lines: Int?

    /// No window.
    init() { (columns, lines) = (nil, nil) }

    /// The window of a terminal; one that does not say how large it is has room for anything.
    init(of descriptor: Int32) {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        columns = isKnown && size.ws_col > 0 ? Int(size.ws_col) : nil
        lines = isKnown && size.ws_row > 0 ? Int(size.ws_row) : nil
    }

    /// The lines that a code may take: the last one says what it is.
    var codeLines: Int? { lines.map { $0 - 1 } }

    /// The largest version that fits with the smaller margin; 0 or less when none does.
    var version: Int {
        let width = columns ?? .max
        let height = codeLines.map { 2 * max(0, $0) } ?? .max
        let size = min(width, height, QRCode.size(ofVersion: QRCode.largestVersion) + 2 * QRCode.narrowQuietZone)
        return QRCode.version(ofSize: size - 2 * QRCode.narrowQuietZone)
    }

    /// What a version takes with the smaller margin.
    static func needed(for version: Int) -> (columns: Int, lines: Int) {
        let side = QRCode.size(ofVersion: version) + 2 * QRCode.narrowQuietZone
        return (side, (side + 1) / 2 + 1)
    }
}
