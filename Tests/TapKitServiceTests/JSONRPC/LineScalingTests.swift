import TestSupport
import Testing

@testable import TapKitService

/// What programs send to the service is read in time that grows as it does.
@Suite struct LineScalingTests {
    private static let limits = ServiceLimits()

    private func expectLinear(
        _ what: String, upTo most: Int, sourceLocation: SourceLocation = #_sourceLocation, _ text: (Int) -> String
    ) throws {
        try Scaling.expectLinear(what, upTo: most, sourceLocation: sourceLocation, input: { Array(text($0).utf8) }) {
            guard case .single(.call) = RPCLine($0, within: Self.limits) else {
                Issue.record("not a call", sourceLocation: sourceLocation)
                return
            }
        }
    }

    private func call(_ params: String) -> String { #"{"jsonrpc":"2.0","id":1,"method":"sign","params":\#(params)}"# }

    @Test func lines() throws {
        try expectLinear("a long text", upTo: Self.limits.lineLength / 2) {
            call(#"{"psbt":"\#(String(repeating: "A", count: $0))"}"#)
        }
        try expectLinear("values", upTo: Self.limits.valueCount / 2) {
            call("[\(Array(repeating: "1", count: $0).joined(separator: ","))]")
        }
        try expectLinear("members", upTo: Self.limits.valueCount / 2) { count in
            call("{\((0..<count).map { #""k\#($0)":1"# }.joined(separator: ","))}")
        }
    }

    /// However short the pieces are in which a stream comes.
    @Test(arguments: [1, 100]) func streams(_ size: Int) throws {
        try Scaling.expectLinear("a line in pieces", input: { [UInt8](repeating: 0x41, count: $0) + [0x0A] }) { bytes in
            var reader = LineReader(longest: bytes.count)
            var count = 0
            for start in stride(from: 0, to: bytes.count, by: size) {
                bytes[start..<min(bytes.count, start + size)].withUnsafeBytes { reader.append($0) }
                while reader.next() != nil { count += 1 }
            }
            #expect(count == 1)
        }
        try Scaling.expectLinear("many lines", input: { [UInt8](repeating: 0x0A, count: $0) + [0x41, 0x0A] }) { bytes in
            var reader = LineReader(longest: 10)
            var count = 0
            for start in stride(from: 0, to: bytes.count, by: size) {
                bytes[start..<min(bytes.count, start + size)].withUnsafeBytes { reader.append($0) }
                while reader.next() != nil { count += 1 }
            }
            #expect(count == 1)
        }
    }

    @Test func secrets() throws {
        let (start, end) = (Array(#"{"jsonrpc":"2.0","id":3,"result":""#.utf8), Array(#""}"#.utf8))
        try Scaling.expectLinear("a long answer", input: { start + [UInt8](repeating: 0x31, count: $0) + end }) {
            var line = $0
            _ = SecretAnswer.take(from: &line)
        }
    }
}
