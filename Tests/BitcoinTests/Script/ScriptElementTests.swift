import Testing

@testable import Bitcoin

@Suite struct ScriptElementTests {
    @Test func everyFormOfPushIsRead() throws {
        let script = Script([
            0x00, 0x02, 0xAA, 0xBB, 0x4C, 0x01, 0xCC, 0x4D, 0x01, 0x00, 0xDD, 0x4E, 1, 0, 0, 0, 0xEE, 0x51, 0xAC,
        ])
        let elements = try #require(script.elements)
        #expect(elements.map(\.opcode.rawValue) == [0x00, 0x02, 0x4C, 0x4D, 0x4E, 0x51, 0xAC])
        #expect(elements.map { $0.data.map(Array.init) } == [[], [0xAA, 0xBB], [0xCC], [0xDD], [0xEE], nil, nil])
        #expect(elements.map(\.isMinimal) == [true, true, false, false, false, true, true])
    }

    @Test(
        arguments: [
            [0x01], [0x4B, 1, 2], [0x4C], [0x4C, 2, 1], [0x4D], [0x4D, 1], [0x4D, 1, 0], [0x4E, 0, 0, 0],
            [0x4E, 0xFF, 0xFF, 0xFF, 0xFF, 1],
        ] as [[UInt8]])
    func truncatedPushesEndTheScript(bytes: [UInt8]) {
        let script = Script([0xAC] + bytes)
        #expect(script.elements == nil && !Script(bytes).isPushOnly)
        var iterator = ScriptElementIterator(script)
        #expect(iterator.next()?.opcode == .checkSignature && iterator.offset == 1)
        #expect(iterator.next() == nil && iterator.isTruncated)
        #expect(iterator.next() == nil && iterator.isTruncated)
    }

    @Test func theEmptyScriptHasNoElements() {
        #expect(Script().elements == [])
        #expect(Script().isPushOnly)
    }

    @Test func pushOnlyIsWhatConsensusSays() {
        #expect(Script([0x00, 0x4F, 0x50, 0x60, 0x01, 0xAC]).isPushOnly)
        #expect(!Script([0x00, 0x61]).isPushOnly)
    }

    @Test(
        arguments: [
            ([], [0x00]), ([0], [0x01, 0x00]), ([1], [0x51]), ([16], [0x60]), ([17], [0x01, 0x11]), ([0x81], [0x4F]),
            ([0x80], [0x01, 0x80]), ([1, 2], [0x02, 1, 2]),
        ] as [([UInt8], [UInt8])])
    func smallPushesAreShortest(data: [UInt8], bytes: [UInt8]) {
        #expect(Script(pushing: [data]).bytes == bytes)
    }

    @Test(
        arguments: [
            (75, [75]), (76, [0x4C, 76]), (255, [0x4C, 255]), (256, [0x4D, 0, 1]), (65535, [0x4D, 255, 255]),
            (65536, [0x4E, 0, 0, 1, 0]),
        ] as [(Int, [UInt8])])
    func longPushesAreShortest(count: Int, head: [UInt8]) throws {
        let data = [UInt8](repeating: 7, count: count)
        let script = Script(pushing: [data])
        #expect(script.bytes.prefix(head.count).elementsEqual(head) && script.bytes.count == head.count + count)
        let element = try #require(script.elements?.first)
        #expect(element.isMinimal && element.data.map(Array.init) == data)
    }
}
