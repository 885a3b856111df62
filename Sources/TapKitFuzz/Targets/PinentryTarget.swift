import Bitcoin
import Glibc

@testable import Pinentry

/// What a pinentry sends, and what it is sent.
enum PinentryTarget: FuzzTarget {
    static let name = "pinentry"
    static let maximumLength = 2_048

    static func run(_ bytes: [UInt8]) throws {
        if let text = String(validating: bytes, as: UTF8.self) { checkCommand(text) }
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard case .error(let code, let text)? = line.withUnsafeBytes({ AssuanAnswer($0) }) else { continue }
            expect((0...0xFFFF).contains(code), "an error's number has 16 bits")
            expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "its words are harmless")
        }
        try Conversation(bytes).run()
    }

    /// A command is one line that contains the argument, or its beginning.
    private static func checkCommand(_ text: String) {
        let line = AssuanCommand("SETDESC", text).line
        expect(line.count <= AssuanCommand.maximumLength, "a line is not too long")
        expectSame(line.firstIndex(of: UInt8(ascii: "\n")), line.count - 1, "a command is one line")
        let argument = line.dropLast().dropFirst("SETDESC ".utf8.count)
        let said = required(Self.decoded(argument), "a command is encoded as an answer")
        expect(text.utf8.starts(with: said), "a command says the beginning of its argument")
        expect(line.count > 990 || said.count == text.utf8.count, "what has room is not cut off")
    }

    /// Decodes percent escapes; `nil` if one does not have two digits.
    private static func decoded(_ bytes: some Collection<UInt8>) -> [UInt8]? {
        var rest = bytes[...]
        var decoded: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard digits.count == 2 else { return nil }
            decoded.append(UInt8(digits[0] << 4 | digits[1]))
            rest = rest.dropFirst(2)
        }
        return decoded
    }

    /// A pinentry that sends everything it has, and then disappears.
    private struct Conversation {
        private let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func run() throws {
            var (answers, silence): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
            expect(pipe(&answers) == 0 && pipe(&silence) == 0, "the system has pipes")
            let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
            defer { for end in [answers[0], silence[0], silence[1], nowhere] { close(end) } }
            // A pipe has room for all of it.
            _ = bytes.withUnsafeBytes { write(answers[1], $0.baseAddress, $0.count) }
            close(answers[1])
            let connection = AssuanConnection(output: nowhere, input: answers[0], interruption: silence[0])
            let limit = Duration.seconds(10)
            try connection.greeting(within: limit)
            _ = try connection.tell(AssuanCommand("SETPROMPT", "CVC"), within: limit)
            let pin = try connection.ask(AssuanCommand("GETPIN"), within: limit)
            expectSame(pin.withBytes { Array($0) }, said, "the PIN is what was said")
            connection.leave()
        }

        /// The data of the third answer.
        private var said: [UInt8] {
            var answers = 0
            var data: [UInt8] = []
            for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
                let word = line.prefix { $0 != UInt8(ascii: " ") }
                if word.elementsEqual("OK".utf8) || word.elementsEqual("ERR".utf8) { answers += 1 }
                if answers == 3 { break }
                if word.elementsEqual("D".utf8) {
                    data += required(PinentryTarget.decoded(line.dropFirst(2)), "data that was taken is decoded")
                }
            }
            return data
        }
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        [
            "OK Pleased to meet you\nOK\nD 123456\nOK\n",
            "OK\nERR 83886179 Operation cancelled <Pinentry>\nD 1%2523\nOK\n",
            "# hello\nOK\nS INFO\nOK\nS PASSWORD_FROM_CACHE\nD 12\nD 34%0A\nOK bye\n", "OK\nOK\nERR 99 cancelled\n",
            "OK\nOK\nERR 62 timeout\n", "ERR 86 no pinentry\n", "OK\nOK\nOK\n", "a prompt: 50% & more\n",
        ].map { Array($0.utf8) }
    }
}
