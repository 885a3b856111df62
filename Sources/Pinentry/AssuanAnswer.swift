import FrontEndText

/// What a line of a pinentry's answer says, its data apart.
///
/// Spec: Assuan, "Server responses".
enum AssuanAnswer: Equatable, Sendable {
    /// It is done, or the pinentry greets.
    case ok
    /// It failed: GnuPG's error number without its source, and the pinentry's words.
    case error(code: Int, text: String)
    /// Data: the part of the line from here on, still encoded.
    case data(from: Int)
    /// What happens meanwhile, or a remark.
    case remark

    /// GnuPG's numbers: the low 16 bits of what stands behind `ERR`.
    enum Code {
        static let timedOut = 62
        static let cancelled = 99
        static let notConfirmed = 114
        static let fullyCancelled = 198
        /// ENOTTY as GnuPG numbers it; also "no such device" and "no such file" for a terminal that is not there.
        static let noTerminal = [0x8000 | 102, 0x8000 | 78, 0x8000 | 81, 0x8000 | 80]
        static let noPinentry = 86
    }

    /// Reads a line, without its end.
    /// - Returns: `nil` when no pinentry says such a thing.
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
