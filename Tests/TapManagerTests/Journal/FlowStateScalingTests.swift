import TapManager
import TestSupport
import Testing

/// What stands in the journal is read in time that grows as it does.
@Suite struct FlowStateScalingTests {
    private static let hash = String(repeating: "ab", count: 32)

    @Test func fields() throws {
        try Scaling.expectLinear("fields that no flow writes") { size in
            #"{"from":"m","to":"m""# + (0..<size).map { #","x\#($0)":1"# }.joined() + "}"
        } work: { json in
            #expect(FlowState(.derive, json: json) != nil)
        }
        for piece in ["/0h", "h", "\\n", "é"] {
            try Scaling.expectLinear("a path of \(piece)") { size in
                #"{"from":"m","to":"m"# + String(repeating: piece, count: size) + "\"}"
            } work: { json in
                #expect(FlowState(.derive, json: json) == nil)
            }
        }
        try Scaling.expectLinear("digits of an id") { size in
            #"{"ownPath":"m","total":1,"transaction":"\#(String(repeating: Self.hash, count: size))"}"#
        } work: { json in
            #expect(FlowState(.sign, json: json) == nil)
        }
    }
}
