import ByteCodec
import TestSupport
import Testing

@testable import Bitcoin

/// Expressions are read, judged, written and spent in time that grows as they do. Only judging a `thresh` takes as much as it
/// has parts, times the threshold; there are at most 999 parts.
@Suite struct MiniscriptScalingTests {
    /// Wide: one of many keys.
    private static func wide(_ size: Int) -> String { wide(size, of: 1) }

    /// Several of many keys.
    private static func several(_ size: Int) -> String { wide(size, of: 5) }

    /// Half of the keys.
    private static func half(_ size: Int) -> String { wide(size, of: max(1, size / 2)) }

    private static func wide(_ size: Int, of threshold: Int) -> String {
        "thresh(\(threshold),pk(0)" + (1..<max(2, size)).map { ",s:pk(\($0))" }.joined() + ")"
    }

    /// Deep: each level is a key and everything below it.
    private static func deep(_ size: Int) -> String {
        (0..<size).reduce("pk(0)") { inner, level in "and_v(v:pk(\(level + 1)),\(inner))" }
    }

    /// Deep, with a choice at each level.
    private static func choices(_ size: Int) -> String {
        (0..<size).reduce("pk(0)") { inner, level in "or_d(pk(\(level + 1)),\(inner))" }
    }

    private static func wrapped(_ size: Int) -> String { String(repeating: "l", count: size) + ":pk(0)" }

    private static let shapes: [(name: String, most: Int, text: @Sendable (Int) -> String)] = [
        ("wide", 96, wide), ("several", 96, several), ("half", 96, half), ("deep", 96, deep), ("choices", 88, choices),
        ("wrapped", 384, wrapped),
    ]

    private static func parse(
        _ text: String, in context: MiniscriptContext = .p2wsh
    ) throws -> Miniscript<Int> {
        try Miniscript(parsing: text[...], in: context) { key throws(MiniscriptError) in
            guard let number = Int(key) else { throw .malformed }
            return number
        }
    }

    /// Everything is at hand.
    private struct Everything: SpendingAssets {
        func signature(of key: Int) -> [UInt8]? { [UInt8](repeating: 0x30, count: 72) }
        func publicKey(of key: Int) -> [UInt8]? { MiniscriptScalingTests.key(key) }
        func preimage(of hash: [UInt8], _ function: PreimageHash) -> [UInt8]? { nil }
        func isOpen(olderThan number: UInt32) -> Bool { true }
        func isOpen(after number: UInt32) -> Bool { true }
    }

    private static func key(_ number: Int) -> [UInt8] {
        [2] + [UInt8](repeating: 7, count: 30) + [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
    }

    @Test(arguments: shapes.indices) func readingAndJudging(_ shape: Int) throws {
        let shape = Self.shapes[shape]
        try Scaling.expectLinear(shape.name, from: 8, upTo: shape.most, input: shape.text) { text in
            let expression = try Self.parse(text)
            #expect(expression.fault != .notBase)
        }
    }

    @Test(arguments: shapes.indices) func scriptsBothWays(_ shape: Int) throws {
        let shape = Self.shapes[shape]
        let input = { try Self.parse(shape.text($0)) }
        try Scaling.expectLinear(shape.name, from: 8, upTo: min(96, shape.most), input: input) { expression in
            let script = expression.script { .key(Self.key($0)) }
            #expect(Miniscript(script) != nil || script.bytes.count > MiniscriptLimits.scriptLength)
        }
    }

    @Test(arguments: shapes.indices) func spending(_ shape: Int) throws {
        let shape = Self.shapes[shape]
        let input = { try Self.parse(shape.text($0)) }
        try Scaling.expectLinear(shape.name, from: 8, upTo: shape.most, input: input) { expression in
            #expect(expression.witness(with: Everything()) != nil || expression.fault != nil)
        }
    }

    /// Half of the keys of a tapscript, which can have ten times as many as a witness script.
    @Test func spendingTapscripts() throws {
        let input = { size in
            try Miniscript(.multiA(size / 2, Array(0..<size)), in: .tapscript)
        }
        try Scaling.expectLinear("multi_a", upTo: 512, input: input) { expression in
            #expect(expression.witness(with: Everything()) != nil)
        }
        let parts = { (size: Int) in
            let first = try Self.parse("pk(0)", in: .tapscript)
            let others = try (1..<size).map { try Self.parse("s:pk(\($0))", in: .tapscript) }
            return try Miniscript(.threshold(size / 2, [first] + others), in: .tapscript)
        }
        try Scaling.expectLinear("thresh", upTo: 512, input: parts) { expression in
            #expect(expression.witness(with: Everything()) != nil)
        }
    }

    /// Scripts that nobody wrote as an expression: they are refused as fast as others are read.
    @Test func hostileScripts() throws {
        let opcodes: [(String, [UInt8])] = [
            ("IF", [0x63]), ("ENDIF", [0x68]), ("IF ENDIF", [0x63, 0x68]), ("ELSE ENDIF", [0x67, 0x68]),
            ("ADD", [0x93]), ("SWAP", [0x7C]), ("CHECKSIG", [0xAC]), ("VERIFY", [0x69]), ("0", [0x00]),
            ("0NOTEQUAL", [0x92]),
            ("DUP IF", [0x76, 0x63]), ("TOALTSTACK", [0x6B]), ("1 ADD 1 EQUAL", [0x51, 0x93, 0x51, 0x87]),
        ]
        for (name, bytes) in opcodes {
            try Scaling.expectLinear(name, from: 64, upTo: MiniscriptLimits.scriptLength / bytes.count) { size in
                Script(Array(repeatElement(bytes, count: size).joined()))
            } work: { script in
                _ = Miniscript(script)
            }
        }
    }
}
