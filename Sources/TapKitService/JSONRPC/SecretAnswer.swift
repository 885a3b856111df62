import Bitcoin

/// Takes a CVC or a backup key out of a line before the line is read, so that it never becomes a text, which nothing could
/// wipe.
enum SecretAnswer {
    private static let key = Array("\"result\"".utf8)
    private static let call = Array("\"method\"".utf8)
    private static let longest = 128

    /// Moves the result of an answer, if it is a string, into memory that is wiped, and puts zeros in its place. Whether it
    /// is a CVC, or a key, is found out there. Escapes are moved as they are: neither has any.
    /// - Returns: `nil`, and an unchanged line, if it is anything else.
    static func take(from line: inout [UInt8]) -> SecretBytes? {
        guard line.count <= 4_096, !line.contains(call), let place = text(in: line) else { return nil }
        return line.withUnsafeMutableBytes { bytes in
            let text = UnsafeMutableRawBufferPointer(rebasing: bytes[place])
            let secret = SecretBytes(UnsafeRawBufferPointer(text))
            for index in text.indices { text[index] = UInt8(ascii: "0") }
            return secret
        }
    }

    private static func text(in line: [UInt8]) -> Range<Int>? {
        guard let key = line.firstRange(of: key) else { return nil }
        var position = key.upperBound
        func skipSpace() { while position < line.count, [0x20, 0x09].contains(line[position]) { position += 1 } }
        skipSpace()
        guard position < line.count, line[position] == UInt8(ascii: ":") else { return nil }
        position += 1
        skipSpace()
        guard position < line.count, line[position] == UInt8(ascii: "\"") else { return nil }
        let start = position + 1
        var end = start
        while end < line.count, line[end] != UInt8(ascii: "\"") { end += line[end] == UInt8(ascii: "\\") ? 2 : 1 }
        guard end < line.count, (1...longest).contains(end - start) else { return nil }
        return start..<end
    }
}
