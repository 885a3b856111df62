import TestSupport
import Testing

@testable import ChainData

@Suite struct LineBufferTests {
    private func feed(_ buffer: inout LineBuffer, _ bytes: some Collection<UInt8>) throws -> [[UInt8]] {
        buffer.withPiece { $0.copyBytes(from: bytes) }
        return try buffer.take(bytes.count)
    }

    @Test func cutsLinesWhereverThePiecesEnd() throws {
        var generator = SeededGenerator()
        for _ in 0..<200 {
            let lines: [[UInt8]] = (0..<20).map { _ in generator.bytes(0...30).filter { $0 != 0x0A } }
            let stream: [UInt8] = lines.flatMap { $0 + [0x0A] }
            var buffer = LineBuffer(longest: 30)
            var cut: [[UInt8]] = []
            var rest = stream[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...50, using: &generator))
                cut += try feed(&buffer, piece)
                rest = rest.dropFirst(piece.count)
            }
            #expect(cut == lines)
        }
    }

    @Test func boundsALine() throws {
        var buffer = LineBuffer(longest: 4)
        #expect(try feed(&buffer, [1, 2, 3, 4]) == [])
        #expect(throws: ChainError.tooLarge(limit: 4)) { try feed(&buffer, [5]) }
        var other = LineBuffer(longest: 4)
        #expect(throws: ChainError.tooLarge(limit: 4)) { try feed(&other, [1, 2, 3, 4, 5, 0x0A]) }
    }
}
