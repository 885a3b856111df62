import Bitcoin
import Glibc

/// Splits a stream of bytes into lines, however the writes were split or merged. Bytes that were read are wiped: an
/// answer may be a CVC.
package struct LineReader {
    /// What is found in the stream.
    package enum Line: Equatable {
        /// A line without its end.
        case whole([UInt8])
        /// A line beyond the limit, of which nothing is kept.
        case tooLong
    }

    private let longest: Int
    private var buffer: [UInt8] = []
    /// Where the first line that was not returned begins.
    private var start = 0
    /// Up to where it is known that there is no line end.
    private var searched = 0
    private var isSkipping = false

    /// - Parameter longest: the longest line, in bytes, without its end.
    package init(longest: Int) {
        self.longest = longest
        // What an array leaves behind when it grows is not wiped: an answer fits in here.
        buffer.reserveCapacity(Self.room)
    }

    private static let room = 65_536

    /// Whether a line has begun but is not whole.
    package var isBegun: Bool { isSkipping || start < buffer.count }

    /// Appends received bytes.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) { buffer.append(contentsOf: bytes) }

    /// The next line; `nil` until more bytes come. Empty lines are left out.
    package mutating func next() -> Line? {
        while let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            defer { pass(end + 1) }
            if isSkipping || end - start > longest {
                isSkipping = false
                return .tooLong
            }
            var line = Array(buffer[start..<end])
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) { return .whole(line) }
        }
        searched = buffer.count
        if isSkipping || buffer.count - start > longest {
            isSkipping = true
            pass(buffer.count)
        }
        moveUp()
        return nil
    }

    /// Wipes everything up to a place, from where reading continues.
    private mutating func pass(_ place: Int) {
        let done = start..<place
        buffer.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[done]).wipe() }
        (start, searched) = (place, place)
    }

    /// Moves the beginning of the next line to the start.
    private mutating func moveUp() {
        guard start > 0 else { return }
        let rest = buffer.count - start
        buffer.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            memmove(base, base + start, rest)
            UnsafeMutableRawBufferPointer(rebasing: bytes[rest...]).wipe()
        }
        buffer.removeLast(start)
        if rest == 0, buffer.capacity > 2 * Self.room {
            buffer = []
            buffer.reserveCapacity(Self.room)
        }
        (start, searched) = (0, rest)
    }
}
