import Bitcoin
import ByteCodec
import Testing

@Suite struct TapTreeTests {
    /// A PSBT with a tree of leaves at these depths.
    private func parse(_ depths: [UInt8], leafVersion: UInt8 = 0xC0) throws {
        let tree = depths.flatMap { [$0, leafVersion, 1, 0x51] as [UInt8] }
        let record = FaultyRecord(map: .output(0), type: 0x06, value: tree, fault: .incompleteTapTree)
        _ = try PSBT(serialized: record.serialized)
    }

    @Test(arguments: [[0], [1, 1], [2, 2, 1], [1, 2, 2], [2, 2, 2, 2], [1, 2, 3, 3], [3, 3, 2, 1]] as [[UInt8]])
    func completeTreesAreTaken(depths: [UInt8]) throws { try parse(depths) }

    @Test func theDeepestTreeIsTaken() throws { try parse(Array(1...128) + [128]) }

    @Test(
        arguments: [[], [1], [0, 0], [1, 1, 1], [2, 1, 1], [2, 2], [1, 2], [2, 2, 1, 1], [1, 3, 3, 2, 2]] as [[UInt8]])
    func otherTreesAreRefused(depths: [UInt8]) {
        #expect(throws: PSBTError.field(.init(.output(0), 6), .incompleteTapTree)) { try parse(depths) }
    }

    @Test func deeperTreesAndOddVersionsAreRefused() {
        let error = PSBTError.field(.init(.output(0), 6), .incompleteTapTree)
        #expect(throws: error) { try parse(Array(1...129) + [129]) }
        #expect(throws: error) { try parse([0], leafVersion: 0xC1) }
    }
}
