/// A file of labels, one per line.
///
/// Spec: BIP-329: JSON Lines in UTF-8, lines ending with a line feed.
public struct LabelFile: Hashable, Sendable {
    /// The largest file that is read, in bytes: 64 MiB.
    public static let maximumSize = 64 << 20
    /// The longest line that is read, in bytes: 64 KiB.
    public static let maximumLineLength = 64 << 10
    /// How deeply lists and objects may be nested in a line.
    public static let maximumDepth = 64
    /// The most lines that are read.
    public static let maximumLineCount = 1_000_000

    /// The labels, in the order of the file.
    public let labels: [Label]
    /// The numbers of lines, from 1, with labels of unknown types.
    public let ignoredLines: [Int]

    /// A file of these labels.
    public init(_ labels: [Label]) {
        self.labels = labels
        ignoredLines = []
    }

    /// Reads a file. Empty lines, carriage returns and a byte order mark are skipped.
    /// - Throws: `LabelFileError`, for the first line that is wrong.
    public init(parsing bytes: some Sequence<UInt8>) throws(LabelFileError) {
        var bytes = Array(bytes)[...]
        guard bytes.count <= Self.maximumSize else { throw .tooLarge(limit: Self.maximumSize) }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        var labels: [Label] = []
        var ignored: [Int] = []
        // No more lines than the limit: there may be as many as bytes.
        let lines = bytes.split(
            separator: UInt8(ascii: "\n"), maxSplits: Self.maximumLineCount + 1, omittingEmptySubsequences: false)
        guard lines.count <= Self.maximumLineCount + 1 else { throw .tooManyLines(limit: Self.maximumLineCount) }
        for (index, line) in lines.enumerated() {
            guard line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") && $0 != 0x09 }) else {
                continue
            }
            do throws(LabelFault) {
                if let label = try Label(line: line) { labels.append(label) } else { ignored.append(index + 1) }
            } catch { throw .line(index + 1, error) }
        }
        self.labels = labels
        ignoredLines = ignored
    }

    /// The file: each line ends with a line feed.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for label in labels {
            bytes += Array(label.line.utf8)
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }
}
