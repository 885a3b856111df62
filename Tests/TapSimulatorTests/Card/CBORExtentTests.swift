import ByteCodec
import TestSupport
import Testing

@testable import TapSimulator

@Suite struct CBORExtentTests {
    private func rows(_ kind: String) throws -> [VectorRow] {
        let rows = try Vectors.load("ietf/cbor_rfc8949.json", kinds: [kind])
        try #require(!rows.isEmpty)
        return rows
    }

    @Test func wellFormedItemsEndWhereTheyEnd() throws {
        for row in try rows("well_formed") {
            let bytes = try row.bytes("hex")
            #expect(CBORExtent(of: bytes) == .complete(end: bytes.count), "\(row)")
            #expect(CBORExtent(of: [0] + bytes + [0xFF, 0x00], from: 1) == .complete(end: 1 + bytes.count), "\(row)")
            for count in bytes.indices { #expect(CBORExtent(of: Array(bytes.prefix(count))) == .incomplete, "\(row)") }
        }
    }

    @Test func otherBytesAreNoItem() throws {
        for row in try rows("not_well_formed") {
            let bytes = try row.bytes("hex")
            if case .complete(let end) = CBORExtent(of: bytes) { #expect(end < bytes.count, "\(row)") }
        }
    }

    @Test func heldBackOrHopeless() {
        #expect(CBORExtent(of: []) == .incomplete)
        #expect(CBORExtent(of: [0xFF]) == .malformed)
        #expect(CBORExtent(of: [0x1C]) == .malformed)
        #expect(CBORExtent(of: [0x1F]) == .malformed)
        #expect(CBORExtent(of: [0xBB] + [UInt8](repeating: 0xFF, count: 8)) == .incomplete)
        #expect(CBORExtent(of: [0x5B] + [UInt8](repeating: 0xFF, count: 8)) == .incomplete)
        #expect(CBORExtent(of: [UInt8](repeating: 0x81, count: 1_000)) == .malformed)
        #expect(CBORExtent(of: [0x5F, 0x61, 0x41, 0xFF]) == .malformed)
        #expect(CBORExtent(of: [0xA1, 0x01], from: 9) == .incomplete)
    }
}
