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
}
