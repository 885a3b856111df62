import ByteCodec
import Testing

@Suite struct ByteReaderTests {
    @Test func readsIntegersAndRuns() throws {
        var reader = ByteReader([0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x02, 0xAA, 0xBB])
        #expect(try reader.byte() == 1)
        #expect(try reader.littleEndian(UInt16.self) == 0x0302)
        #expect(try reader.littleEndian(UInt32.self) == 0x0706_0504)
        #expect(reader.peek() == 2)
        #expect(try Array(reader.sizedSlice()) == [0xAA, 0xBB])
        #expect(reader.isAtEnd && reader.remaining == 0 && reader.offset == 10 && reader.peek() == nil)
        try reader.expectEnd()
    }

    @Test func startsAtTheFrontOfASlice() throws {
        let bytes: [UInt8] = [9, 9, 1, 2, 3]
        var reader = ByteReader(bytes[2...])
        #expect(try reader.read(2) == [1, 2])
        #expect(reader.offset == 2 && reader.remaining == 1)
    }

    @Test(
        arguments: [
            (0, [0x00]), (0xFC, [0xFC]), (0xFD, [0xFD, 0xFD, 0x00]), (0xFFFF, [0xFD, 0xFF, 0xFF]),
            (0x1_0000, [0xFE, 0x00, 0x00, 0x01, 0x00]), (0xFFFF_FFFF, [0xFE, 0xFF, 0xFF, 0xFF, 0xFF]),
            (0x1_0000_0000, [0xFF, 0, 0, 0, 0, 1, 0, 0, 0]), (.max, [UInt8](repeating: 0xFF, count: 9)),
        ] as [(UInt64, [UInt8])])
    func compactSizesGoBothWays(value: UInt64, bytes: [UInt8]) throws {
        var written: [UInt8] = []
        written.appendCompactSize(value)
        #expect(written == bytes)
        var reader = ByteReader(bytes)
        #expect(try reader.compactSize() == value)
    }

    @Test(arguments: [
        [UInt8]([0xFD, 0xFC, 0x00]), [0xFE, 0xFF, 0xFF, 0x00, 0x00], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0],
    ])
    func longCompactSizesAreRefused(bytes: [UInt8]) {
        #expect(throws: ByteReader.ReadingError.compactSizeNotShortest(offset: 0)) {
            var reader = ByteReader(bytes)
            _ = try reader.compactSize()
        }
    }

    @Test func whatIsMissingIsNamed() {
        #expect(throws: ByteReader.ReadingError.truncated(offset: 1, needed: 4)) {
            var reader = ByteReader([1, 2, 3])
            _ = try reader.byte()
            _ = try reader.littleEndian(UInt32.self)
        }
        #expect(throws: ByteReader.ReadingError.truncated(offset: 9, needed: .max)) {
            var reader = ByteReader([UInt8](repeating: 0xFF, count: 9))
            _ = try reader.sizedSlice()
        }
        #expect(throws: ByteReader.ReadingError.trailingBytes(count: 2)) { try ByteReader([1, 2]).expectEnd() }
    }

    @Test func aFailedReadMovesNothing() throws {
        var reader = ByteReader([7, 8])
        #expect(throws: ByteReader.ReadingError.self) { try reader.read(3) }
        #expect(try reader.read(2) == [7, 8])
    }
}
