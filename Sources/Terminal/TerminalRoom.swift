import Glibc

/// The size of a terminal's window.
package struct TerminalRoom: Equatable {
    /// Its columns; `nil`: unlimited.
    package let columns: Int?
    /// Its lines; `nil`: unlimited.
    package let lines: Int?

    /// No window.
    package init() { (columns, lines) = (nil, nil) }

    /// The window of a terminal; unlimited if the terminal does not report its size.
    package init(of descriptor: Int32) {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        columns = isKnown && size.ws_col > 0 ? Int(size.ws_col) : nil
        lines = isKnown && size.ws_row > 0 ? Int(size.ws_row) : nil
    }
}
