/// Where one CBOR item ends, in bytes that may contain less than the item, or more.
///
/// Only the heads are examined; valid UTF-8 and unique keys are left to the decoder.
///
/// Spec: RFC 8949, section 3 and appendix C.
enum CBORExtent: Equatable {
    /// The item ends before this offset.
    case complete(end: Int)
    /// More bytes are needed.
    case incomplete
    /// No further bytes could complete an item.
    case malformed

    /// The deepest nesting that is followed; a card's responses and requests need 2.
    private static let deepest = 16

    /// Examines the item that begins at `start`.
    init(of bytes: [UInt8], from start: Int = 0) {
        do throws(Interruption) {
            var walker = Walker(bytes: bytes, position: start)
            try walker.item(depth: 0)
            self = .complete(end: walker.position)
        } catch {
            self = error == .end ? .incomplete : .malformed
        }
    }

    private enum Interruption: Error { case end, malformed }

    private struct Walker {
        let bytes: [UInt8]
        var position: Int

        mutating func item(depth: Int) throws(Interruption) {
            guard depth <= CBORExtent.deepest else { throw .malformed }
            let initial = try take()
            let (major, information) = (initial >> 5, initial & 31)
            guard information < 28 || information == 31 else { throw .malformed }
            if information == 31 { return try indefinite(major, depth) }
            let argument = information < 24 ? UInt64(information) : try number(1 << Int(information - 24))
            switch major {
            case 2, 3: try skip(argument)
            case 4: try items(argument, depth)
            case 5: try items(argument, depth, each: 2)
            case 6: try item(depth: depth + 1)
            // Simple values below 32 have one byte.
            case 7 where information == 24 && argument < 32: throw .malformed
            default: break
            }
        }

        private mutating func indefinite(_ major: UInt8, _ depth: Int) throws(Interruption) {
            guard (2...5).contains(major) else { throw .malformed }
            while try !isAtBreak() {
                if major < 4 {
                    guard let chunk = bytes[position...].first, chunk >> 5 == major, chunk & 31 != 31 else {
                        throw .malformed
                    }
                }
                try item(depth: depth + 1)
                if major == 5 { try item(depth: depth + 1) }
            }
        }

        private mutating func items(_ count: UInt64, _ depth: Int, each: UInt64 = 1) throws(Interruption) {
            // Each item takes at least a byte, so a huge count ends with the bytes.
            var left = count
            while left > 0 {
                for _ in 0..<each { try item(depth: depth + 1) }
                left -= 1
            }
        }

        private mutating func isAtBreak() throws(Interruption) -> Bool {
            guard position < bytes.count else { throw .end }
            guard bytes[position] == 0xFF else { return false }
            position += 1
            return true
        }

        private mutating func take() throws(Interruption) -> UInt8 {
            guard position < bytes.count else { throw .end }
            defer { position += 1 }
            return bytes[position]
        }

        private mutating func number(_ width: Int) throws(Interruption) -> UInt64 {
            var number: UInt64 = 0
            for _ in 0..<width { number = number << 8 | UInt64(try take()) }
            return number
        }

        private mutating func skip(_ count: UInt64) throws(Interruption) {
            guard count <= UInt64(bytes.count - position) else { throw .end }
            position += Int(count)
        }
    }
}
