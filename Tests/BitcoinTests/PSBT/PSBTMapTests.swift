import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct PSBTMapTests {
    private func record(_ type: UInt64, _ keyData: [UInt8] = [], _ value: [UInt8] = [0]) -> PSBTRecord {
        PSBTRecord(type: type, keyData: keyData[...], value: value[...])
    }

    @Test func recordsComeByTypeAndKeyData() {
        let sorted = [
            record(0), record(5), record(6, [1]), record(6, [1, 2]), record(6, [2]), record(0xFC, [1, 1, 1]),
            record(0x100),
        ]
        var generator = SeededGenerator()
        for _ in 0..<50 {
            var map = PSBTMap(.input)
            for record in sorted.shuffled(using: &generator) { map.set(record) }
            #expect(map.records == sorted)
        }
    }

    @Test func partialSignaturesComeByTheHashOfTheirKeys() {
        let keys = (0..<20).map { [2, UInt8($0)] }
        var map = PSBTMap(.input)
        for key in keys { map.set(record(2, key)) }
        let byHash = keys.sorted { Hash160.hash($0).lexicographicallyPrecedes(Hash160.hash($1)) }
        #expect(map.records.map { Array($0.keyData) } == byHash)
        #expect(byHash != keys)

        var output = PSBTMap(.output)
        for key in keys.reversed() { output.set(record(2, key)) }
        #expect(output.records.map { Array($0.keyData) } == keys)
    }

    @Test func theOrderOfAFileIsLeftAlone() {
        var map = PSBTMap(.input)
        map.set(record(7))
        map.set(record(3))
        map.set(record(3, [], [1, 2, 3]))
        #expect(map.records == [record(3, [], [1, 2, 3]), record(7)])
        map.set(3, nil)
        #expect(map.records == [record(7)])
        map.set(7, [9])
        #expect(map.value(7) == [9])
        #expect(map.value(8) == nil)
    }

    @Test func aNewRecordGoesBeforeTheFirstThatFollowsIt() throws {
        let unsorted = FaultyRecord.psbt(input: [1, 0x90, 0, 1, 0x20, 0, 1, 0x80, 0])
        var psbt = try PSBT(serialized: unsorted)
        #expect(psbt.serialized() == unsorted)
        psbt[input: 0].redeemScript = Script([0x51])
        #expect(psbt.serialized() == FaultyRecord.psbt(input: [1, 4, 1, 0x51, 1, 0x90, 0, 1, 0x20, 0, 1, 0x80, 0]))
    }
}
