import TextLayout

/// A line of a pinentry's answer, without its data.
///
/// Spec: Assuan, "Server responses".
enum AssuanAnswer: Equatable, Sendable {
    /// Success, or the pinentry's greeting.
    case ok
    /// Failure: GnuPG's error number without its source, and the pinentry's text.
    case error(code: Int, text: String)
    /// Data: the part of the line from here on, still encoded.
    case data(from: Int)
    /// A status line or a comment.
    case remark

    /// GnuPG's numbers: the low 16 bits of the number after `ERR`.
    enum Code {
        static let timedOut = 62
        static let cancelled = 99
        static let notConfirmed = 114
        static let fullyCancelled = 198
        /// ENOTTY as GnuPG numbers it; also "no such device" and "no such file" for a missing terminal.
        static let noTerminal = [0x8000 | 102, 0x8000 | 78, 0x8000 | 81, 0x8000 | 80]
        static let noPinentry = 86
    }

    /// Reads a line, without its end.
    /// - Returns: `nil` when it is not a line that a pinentry sends.
    init?(_ line: UnsafeRawBufferPointer) {
        let word = line.prefix { $0 != UInt8(ascii: " ") }
        if line.isEmpty || line.first == UInt8(ascii: "#") || word.elementsEqual("S".utf8) {
            self = .remark
        } else if word.elementsEqual("OK".utf8) {
            self = .ok
        } else if word.elementsEqual("D".utf8) {
            self = .data(from: min(line.count, 2))
        } else if word.elementsEqual("ERR".utf8) {
            let words = line.dropFirst(4).split(separator: UInt8(ascii: " "), maxSplits: 1)
            guard let first = words.first, let number = UInt32(String(decoding: first, as: UTF8.self)) else {
                return nil
            }
            let text = words.count > 1 ? String(decoding: words[1].prefix(200), as: UTF8.self) : ""
            self = .error(code: Int(number & 0xFFFF), text: TerminalText.neutralized(text))
        } else {
            return nil
        }
    }
}
