import Bitcoin
import Glibc

/// The answer to a question that is not secret, read so that a secret typed by mistake is not shown: letters are
/// echoed up to the first digit, and nothing from there on: a backup key has both.
package enum TerminalAnswer {
    private static let maximumLength = 256
    /// How often to ask someone who types digits.
    private static let attempts = 3

    /// Asks. Anything typed or pasted before the question was shown is discarded.
    /// - Returns: the answer in lower case; empty if there is none.
    /// - Throws: `InputError.interrupted` on Ctrl-C, `.inputUnreadable`.
    package static func ask(_ question: String, on terminal: Int32) throws(InputError) -> String {
        let style = TerminalStyle(of: terminal)
        let prompt = ScreenLine(question).shown(in: style) + " "
        return try TerminalEcho.withoutEcho(on: terminal, isByKey: true) { () throws(InputError) -> String in
            for _ in 0..<attempts {
                Console.write(prompt, to: terminal)
                guard let answer = try line(from: terminal) else {
                    let words = "Digits are not an answer here. If a CVC or key is needed, you will be asked for it."
                    Console.write(ScreenLine(words).shown(in: style) + "\n", to: terminal)
                    continue
                }
                return answer.lowercased()
            }
            return ""
        }
    }

    /// Reads one line, key by key.
    /// - Returns: `nil` if it has digits in it.
    private static func line(from terminal: Int32) throws(InputError) -> String? {
        var typed: [UInt8] = []
        // What may be a CVC is erased from memory.
        typed.reserveCapacity(maximumLength)
        defer { typed.wipe() }
        while true {
            switch try key(from: terminal) {
            case nil, 0x04?, 0x0A?, 0x0D?:
                Console.write("\n", to: terminal)
                guard !typed.contains(where: isDigit) else { return nil }
                return String(decoding: typed, as: UTF8.self)
            case 0x08?, 0x7F?:
                let before = shown(typed)
                _ = typed.popLast()
                for _ in shown(typed)..<before { Console.write("\u{8} \u{8}", to: terminal) }
            case 0x15?:
                for _ in 0..<shown(typed) { Console.write("\u{8} \u{8}", to: terminal) }
                typed.wipe()
                typed.removeAll(keepingCapacity: true)
            case let key?:
                guard typed.count < maximumLength else { continue }
                let before = shown(typed)
                typed.append(key)
                if shown(typed) > before { Console.write([key], to: terminal) }
            }
        }
    }

    /// - Returns: `nil` at the end of input.
    private static func key(from terminal: Int32) throws(InputError) -> UInt8? {
        while true {
            try TerminalLine.waitForAnswer(on: terminal)
            var key: UInt8 = 0
            let count = Glibc.read(terminal, &key, 1)
            if count == 1 { return key }
            guard count < 0 else { return nil }
            guard errno == EINTR || errno == EAGAIN else {
                throw .unreadable(stream: "The line")
            }
        }
    }

    private static func isDigit(_ key: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(key) }

    /// How many of the keys are on the screen.
    private static func shown(_ typed: [UInt8]) -> Int { typed.prefix { !isDigit($0) }.count(where: isShown) }

    private static func isShown(_ key: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(key | 0x20) || key == UInt8(ascii: "_")
    }
}
