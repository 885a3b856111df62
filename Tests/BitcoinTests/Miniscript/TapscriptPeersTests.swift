import ByteCodec
import Foundation
import TestSupport
import Testing

@testable import Bitcoin

/// Random expressions in a leaf of taproot have the script that libwally makes of them and the address that embit,
/// rust-miniscript and Bitcoin Core make of them, and are safe to use where rust-miniscript and Bitcoin Core say so.
@Suite struct TapscriptPeersTests {
    private static let internalKey = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"

    private static func expressions(_ count: Int) -> [Miniscript<[UInt8]>] {
        let keys = RandomMiniscript.keys.map(\.publicKey.bytes)
        var random = RandomMiniscript(SeededGenerator(for: "tapscript"), in: .tapscript)
        return (0..<count).map { _ in random.next().mapKeys { Array(keys[$0].dropFirst()) } }
    }

    private static func output(_ script: Script) throws -> Script {
        let leaf = TaprootLeaf.hash(version: 0xC0, script: script.bytes)
        return .p2tr(try TaprootOutputKey(internalKey: Hex.decode(internalKey), merkleRoot: leaf))
    }

    @Test func scriptsAndSafetyAreTheirs() async throws {
        let expressions = Self.expressions(3_000)
        let answer = try await PythonEnvironment.shared().run(
            "judge_miniscript.py", ["expressions": expressions.map(\.written), "internal_key": Self.internalKey])
        let verdicts = try #require(answer["results"] as? [[String: Any]])
        try #require(verdicts.count == expressions.count)
        var (scripts, outputs, safe) = (0, 0, 0)
        for (expression, verdict) in zip(expressions, verdicts) {
            let script = expression.script { .key($0) }
            let output = try Self.output(script)
            if let theirs = verdict["wally"] as? String, try !expression.isLeftUnfinished(as: theirs, whole: script) {
                scripts += 1
                #expect(theirs == script.description, "wally: \(expression.written)")
            }
            if let theirs = verdict["embit"] as? String {
                outputs += 1
                #expect(theirs == output.description, "embit: \(expression.written)")
            }
            let bdk = verdict["bdk"] as? [String: Any]
            // rust-miniscript refuses `thresh` with a part that can never be satisfied, and does not know that `d:` leaves 1 in
            // tapscript; Core does.
            guard !expression.hasVainChoice, !expression.needsUnitOfTapscript else { continue }
            #expect((bdk != nil) == (expression.fault == nil), "\(expression.written)")
            guard let bdk else { continue }
            safe += 1
            let address = Address(scriptPubKey: output, network: .regtest)
            #expect(bdk["address"] as? String == address?.description, "\(expression.written)")
        }
        #expect(scripts > 100 && outputs > 100 && safe > 500, "\(scripts) \(outputs) \(safe)")
    }

    @Test func theNodeCallsTheSameOnesSafe() async throws {
        let expressions = Self.expressions(1_500)
        let node = try await BitcoinNode.shared()
        let descriptors = try expressions.map {
            try DescriptorChecksum.append(to: "tr(\(Self.internalKey),\($0.written))")
        }
        let answers = try await node.calls("deriveaddresses", descriptors.map { [$0] })
        var safe = 0
        for (expression, answer) in zip(expressions, answers) {
            let script = expression.script { .key($0) }
            // Bitcoin Knots 29.4.3 refuses conditions in tapscript, safe or not; Core does not.
            if "\(answer)".contains("OP_IF/OP_NOTIF is not allowed") {
                #expect(script.elements?.contains { $0.opcode == .if || $0.opcode == .notIf } == true)
                continue
            }
            let address = Address(scriptPubKey: try Self.output(script), network: .regtest)
            let isSafe = expression.fault == nil
            #expect((answer as? [String] != nil) == isSafe, "\(expression.written) \(answer)")
            guard isSafe else { continue }
            safe += 1
            #expect((answer as? [String])?.first == address?.description, "\(expression.written)")
        }
        #expect(safe > 100, "\(safe)")
    }
}

extension Miniscript {
    /// Whether the parts would not fit together in P2WSH, where `d:` is not `u`.
    fileprivate var needsUnitOfTapscript: Bool {
        let text = numbered.text { "\($0.number)" }.replacing("multi_a", with: "multi")
        let witnessScript = try? Miniscript<Int>(parsing: text[...]) { Int($0) ?? 0 }
        return witnessScript == nil
    }
}
