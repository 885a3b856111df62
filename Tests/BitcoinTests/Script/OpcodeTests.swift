import Bitcoin
import Testing

@Suite struct OpcodeTests {
    @Test func numbersGoBothWays() {
        for number in 0...16 { #expect(Opcode.number(number)?.number == number) }
        #expect(Opcode.number(-1) == nil && Opcode.number(17) == nil)
        #expect(Opcode.negativeOne.number == nil && Opcode(rawValue: 0x50).number == nil && Opcode.return.number == nil)
        #expect(Opcode.one.rawValue == 0x51 && Opcode.sixteen.rawValue == 0x60)
    }

    @Test func pushesEndAtSixteen() {
        #expect((0...0x60).allSatisfy { Opcode(rawValue: $0).isPush })
        #expect((0x61...0xFF).allSatisfy { !Opcode(rawValue: $0).isPush })
    }
}
