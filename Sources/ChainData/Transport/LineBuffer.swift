/// Cuts what comes on a connection into lines of bounded length.
struct LineBuffer {
    private let longest: Int
    private var line: [UInt8] = []
    private var piece = [UInt8](repeating: 0, count: 65_536)

    /// - Parameter longest: the most bytes of a line, without its end.
    init(longest: Int) { self.longest = longest }

    /// Lends room for what comes next.
    mutating func withPiece<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
        piece.withUnsafeMutableBytes(body)
    }

    /// Takes what came.
    /// - Parameter count: how many bytes of the room were filled.
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
