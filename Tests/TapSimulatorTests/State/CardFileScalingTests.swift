import TestSupport
import Testing

@testable import TapSimulator

/// A card's file is read in time that grows as it does.
@Suite struct CardFileScalingTests {
    @Test func fields() throws {
        let folder = try TemporaryFolder()
        let record = try SimulatedCardRecord(
            creating: SimulatedCardOptions(product: .tapsigner), at: folder.path("card.json"))
        let content = String(decoding: try record.state.fileContent(), as: UTF8.self)
        let body = try #require(content.lastIndex(of: "}").map { content[..<$0] })
        try Scaling.expectLinear("fields that mean nothing") { size in
            Array((body + (0..<size).map { #","x\#($0)":[{}]"# }.joined() + "}").utf8)
        } work: { bytes in
            let state = try SimulatedCardState(fileContent: bytes)
            #expect(state == record.state)
        }
        try Scaling.expectLinear("bytes that are no card") { size in
            Array("{\"format\":\"".utf8) + [UInt8](repeating: 0x61, count: size)
        } work: { bytes in
            #expect(throws: SimulatedCardError.self) { try SimulatedCardState(fileContent: bytes) }
        }
    }
}
