/// Splits received bytes into lines of limited length.
struct LineBuffer {
    private let longest: Int
    private var line: [UInt8] = []
    private var piece = [UInt8](repeating: 0, count: 65_536)

    /// - Parameter longest: the most bytes in a line, without its end.
    init(longest: Int) { self.longest = longest }

    /// Lends space for the next bytes.
    mutating func withPiece<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
        piece.withUnsafeMutableBytes(body)
    }

    /// Takes the received bytes.
    /// - Parameter count: how many bytes of the space were filled.
    /// - Returns: the lines that are complete now, without their ends.
    mutating func take(_ count: Int) throws(ChainError) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = piece.prefix(count)
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            try append(rest[..<end])
            lines.append(line)
            line = []
            rest = rest[(end + 1)...]
        }
        try append(rest)
        return lines
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) throws(ChainError) {
        guard bytes.count <= longest - line.count else { throw .tooLarge(limit: longest) }
        line += bytes
    }
}
