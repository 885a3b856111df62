import Glibc
import QRCodes
import Terminal

/// Shows QR codes in the text for the user: one code, or several in turn until a key is pressed.
package struct QRScreen {
    private let descriptor: Int32
    private let terminalType: String?
    private let option: String

    /// How long each code is shown. Spec: BBQr, "Coldcard Q Suggestions".
    private static let pause: Int32 = 250

    /// Why nothing is drawn in a locale that has only ASCII characters.
    /// - Parameter option: what saves the codes to files instead, as it is typed.
    static func needsBlocks(orSaveBy option: String) -> String {
        "A QR code cannot be drawn: your locale has only ASCII characters. Run the command with LC_ALL=C.UTF-8, or "
            + "save the code to a file: \(option)."
    }

    /// - Parameters:
    ///   - descriptor: the stream to draw on.
    ///   - option: what saves the codes to files instead, as it is typed.
    ///   - terminalType: the terminal type; a `dumb` one supports neither colours nor redrawing.
    package init(
        on descriptor: Int32, orSaveBy option: String, terminalType: String? = EnvironmentVariable.value("TERM")
    ) {
        (self.descriptor, self.option, self.terminalType) = (descriptor, option, terminalType)
    }

    /// Shows the content: on a terminal as large as its window allows, elsewhere each code once.
    /// - Throws: `QRCodeError` if it would take too many codes.
    package func show(_ content: QRContent, _ format: QRFormat) throws(QRCodeError) {
        guard !TerminalStyle(of: descriptor).isASCII else {
            return Console.write(lines: [Self.needsBlocks(orSaveBy: option)], to: descriptor)
        }
        let isTerminal = isatty(descriptor) == 1 && terminalType != "dumb"
        let room = isTerminal ? TerminalRoom(of: descriptor) : TerminalRoom()
        guard room.version >= QRSequence.smallestVersion else {
            return Console.write(tooSmall(room) + "\n", to: descriptor)
        }
        let sequence = try QRSequence(content, format, limit: room.version)
        guard isTerminal, sequence.count > 1 else { return try printOnce(sequence, room, isTerminal: isTerminal) }
        let keyboard = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard keyboard >= 0 else { return try printOnce(sequence, room, isTerminal: isTerminal) }
        defer { close(keyboard) }
        try animate(content, format, keyboard: keyboard)
    }

    private func printOnce(_ sequence: QRSequence, _ room: TerminalRoom, isTerminal: Bool) throws(QRCodeError) {
        for index in 0..<sequence.count {
            let text = try sequence.code(index).terminalText(isTerminal ? .coloured : .plain, columns: room.columns)
            Console.write(text, to: descriptor)
            if sequence.count > 1 { Console.write(sequence.caption(index) + "\n", to: descriptor) }
        }
    }

    /// Shows one code after the other on the alternate screen, until a key or Ctrl-C is pressed.
    private func animate(_ content: QRContent, _ format: QRFormat, keyboard: Int32) throws(QRCodeError) {
        Console.write("\u{1B}[?1049h\u{1B}[?25l", to: descriptor)
        try TerminalEcho.withoutEcho(on: keyboard, isByKey: true, ending: "\u{1B}[?25h\u{1B}[?1049l") {
            () throws(QRCodeError) in try frames(content, format, keyboard: keyboard)
        }
    }

    private func frames(_ content: QRContent, _ format: QRFormat, keyboard: Int32) throws(QRCodeError) {
        var (index, room, sequence) = (0, TerminalRoom(), QRSequence?.none)
        repeat {
            let now = TerminalRoom(of: descriptor)
            if now != room || sequence == nil {
                (index, room) = (0, now)
                sequence =
                    now.version < QRSequence.smallestVersion
                    ? nil : try QRSequence(content, format, limit: now.version)
            }
            var frame = tooSmall(room)
            if let sequence {
                frame = try sequence.code(index).terminalText(.coloured, columns: room.columns, lines: room.codeLines)
                frame += "\(sequence.caption(index)); press any key to stop".prefix(max(0, (room.columns ?? 80) - 1))
            }
            Console.write("\u{1B}[H" + frame + "\u{1B}[J", to: descriptor)
            index += 1
        } while !isEnded(keyboard)
    }

    /// Waits until it is time for the next code.
    /// - Returns: whether a key was pressed, or the user or the system ends the process.
    private func isEnded(_ keyboard: Int32) -> Bool {
        var sources = [
            pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0),
            pollfd(fd: Interruption.shared.readEnd, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&sources, nfds_t(sources.count), Self.pause)
        return count > 0 || (count < 0 && errno != EINTR)
    }

    private func tooSmall(_ room: TerminalRoom) -> String {
        let needed = TerminalRoom.needed(for: QRSequence.smallestVersion)
        return "The QR codes need \(needed.columns) columns and \(needed.lines) lines; this terminal has "
            + "\(room.columns ?? 0) and \(room.lines ?? 0). Enlarge it, or save them to files: \(option)."
    }
}
