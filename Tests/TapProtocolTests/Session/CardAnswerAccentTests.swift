import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

/// A field's name that is one letter with ever more accents, which Swift takes the square of the time to compare, is refused in
/// time that grows as it does.
@Suite struct CardAnswerAccentTests {
    @Test func accentsOfAName() throws {
        let status = try TestCard().status()
        try Scaling.expectLinear("accents of a field's name", upTo: 1 << 14) { size in
            var map = status
            map["a" + String(repeating: "\u{316}\u{301}", count: size)] = .null
            return CBOREncoder.encode(.map(map))
        } work: { answer in
            #expect(throws: (any Error).self) { try ResponseFields(command: "status", encoded: answer) }
        }
    }
}
