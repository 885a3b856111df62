import Bitcoin

/// Takes a CVC out of a line before the line is read, so that the digits never become a text, which nothing could wipe.
enum SecretAnswer {
    private static let key = Array("\"result\"".utf8)
    private static let call = Array("\"method\"".utf8)
    private static let longest = 64

    /// Moves the digits of an answer whose result is a string of digits into memory that is wiped, and puts zeros in their
    /// place.
    /// - Returns: `nil`, and an unchanged line, if it is anything else.
    static func take(from line: inout [UInt8]) -> SecretBytes? {
        guard line.count <= 4_096, !line.contains(call), let place = digits(in: line) else { return nil }
        return line.withUnsafeMutableBytes { bytes in
            let digits = UnsafeMutableRawBufferPointer(rebasing: bytes[place])
            let secret = SecretBytes(UnsafeRawBufferPointer(digits))
            for index in digits.indices { digits[index] = UInt8(ascii: "0") }
            return secret
        }
    }

    private static func digits(in line: [UInt8]) -> Range<Int>? {
        guard let key = line.firstRange(of: key) else { return nil }
        var position = key.upperBound
        func skipSpace() { while position < line.count, [0x20, 0x09].contains(line[position]) { position += 1 } }
        skipSpace()
        guard position < line.count, line[position] == UInt8(ascii: ":") else { return nil }
        position += 1
        skipSpace()
        guard position < line.count, line[position] == UInt8(ascii: "\"") else { return nil }
        let start = position + 1
        guard let end = line[start...].firstIndex(of: UInt8(ascii: "\"")), (1...longest).contains(end - start),
            line[start..<end].allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return start..<end
    }
}
