/// A line that is sent to a pinentry.
///
/// Spec: Assuan, "Client requests"; pinentry, "Protocol".
struct AssuanCommand: Equatable, Sendable {
    /// The longest line, including its end.
    static let maximumLength = 1000

    /// The line as bytes, with its end.
    let line: [UInt8]

    /// A command and its argument. Percent signs and control characters are written as `%XX`; what does not fit into a
    /// line is cut off after a whole character.
    init(_ name: String, _ argument: String = "") {
        var line = Array(name.utf8)
        if !argument.isEmpty { line.append(UInt8(ascii: " ")) }
        for character in argument {
            let encoded = character.utf8.flatMap(Self.encoded)
            guard line.count + encoded.count < Self.maximumLength else { break }
            line += encoded
        }
        self.line = line + [UInt8(ascii: "\n")]
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func encoded(_ byte: UInt8) -> [UInt8] {
        guard byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "%") else { return [byte] }
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
    }
}
