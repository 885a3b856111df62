import Bitcoin
import Glibc

/// The answer to a question that is no secret, read so that a secret typed by mistake is not shown: letters are, digits are not.
enum TerminalAnswer {
    private static let maximumLength = 256
    /// So often somebody is asked who types digits.
    private static let attempts = 3

    /// Asks. What was typed or pasted before the question was shown answers something else, and is thrown away.
    /// - Returns: the answer in lower case; empty when there is none.
    /// - Throws: `Failure.interrupted` on Ctrl-C, `.inputUnreadable`.
    static func ask(_ question: String, on terminal: Int32) throws(Failure) -> String {
        let style = TerminalStyle(of: terminal)
        let prompt = ScreenLine(question).shown(in: style) + " "
        return try TerminalEcho.withoutEcho(on: terminal, isByKey: true) { () throws(Failure) -> String in
            for _ in 0..<attempts {
                Console.write(prompt, to: terminal)
                guard let answer = try line(from: terminal) else {
                    let words = "Digits are no answer here. The CVC is asked for on a line of its own."
                    Console.write(ScreenLine(words).shown(in: style) + "\n", to: terminal)
                    continue
                }
                return answer.lowercased()
            }
            return ""
        }
    }

    /// One line, key by key.
    /// - Returns: `nil` for one that has digits in it.
    private static func line(from terminal: Int32) throws(Failure) -> String? {
        var typed: [UInt8] = []
        // Memory is given back without what may be a CVC.
        typed.reserveCapacity(maximumLength)
        defer { typed.wipe() }
        while true {
            switch try key(from: terminal) {
            case nil, 0x04?, 0x0A?, 0x0D?:
                Console.write("\n", to: terminal)
                guard !typed.contains(where: isDigit) else { return nil }
                return String(decoding: typed, as: UTF8.self)
            case 0x08?, 0x7F?:
                if let last = typed.popLast(), isShown(last) { Console.write("\u{8} \u{8}", to: terminal) }
            case 0x15?:
                for key in typed where isShown(key) { Console.write("\u{8} \u{8}", to: terminal) }
                typed.wipe()
                typed.removeAll(keepingCapacity: true)
            case let key?:
                guard typed.count < maximumLength else { continue }
                typed.append(key)
                if isShown(key) { Console.write([key], to: terminal) }
            }
        }
    }

    /// - Returns: `nil` at the end of input.
    private static func key(from terminal: Int32) throws(Failure) -> UInt8? {
        while true {
            try TerminalLine.waitForInput(terminal)
            var key: UInt8 = 0
            let count = Glibc.read(terminal, &key, 1)
            if count == 1 { return key }
            guard count < 0 else { return nil }
            guard errno == EINTR || errno == EAGAIN else {
                throw Failure(.inputUnreadable, "The line cannot be read: \(String(cString: strerror(errno)))")
            }
        }
    }

    private static func isDigit(_ key: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(key) }

    private static func isShown(_ key: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(key | 0x20) || key == UInt8(ascii: "_")
    }
}
