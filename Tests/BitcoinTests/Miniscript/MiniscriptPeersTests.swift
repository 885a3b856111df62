import ByteCodec
import Foundation
import TestSupport
import Testing

@testable import Bitcoin

/// Random expressions have the script that libwally, embit and Bitcoin Core make of them, are safe to use where
/// rust-miniscript and Bitcoin Core say so, and take as much to satisfy as rust-miniscript says.
@Suite struct MiniscriptPeersTests {
    private static func expressions(_ count: Int) -> [Miniscript<[UInt8]>] {
        let keys = RandomMiniscript.keys.map(\.publicKey.bytes)
        var random = RandomMiniscript(SeededGenerator())
        return (0..<count).map { _ in random.next().mapKeys { keys[$0] } }
    }

    @Test func scriptsAndSafetyAreTheirs() async throws {
        let expressions = Self.expressions(3_000)
        let answer = try await PythonEnvironment.shared().run(
            "judge_miniscript.py", ["expressions": expressions.map(\.written)])
        let verdicts = try #require(answer["results"] as? [[String: Any]])
        try #require(verdicts.count == expressions.count)
        var (read, safe, equal, unfinished) = (0, 0, 0, 0)
        for (expression, verdict) in zip(expressions, verdicts) {
            let script = expression.script { .key($0) }
            for peer in ["wally", "embit"] {
                guard let theirs = verdict[peer] as? String else { continue }
                read += 1
                // libwally 1.5.6 leaves parts of some scripts with `and_v` empty.
                if peer == "wally", expression.hasConjunction, theirs != script.description,
                    try Self.isUnfinished(theirs, of: script.description)
                {
                    unfinished += 1
                    continue
                }
                #expect(theirs == script.description, "\(peer): \(expression.written)")
            }
            let bdk = verdict["bdk"] as? [String: Any]
            // rust-miniscript refuses `thresh` with a part that can never be satisfied; Core does not.
            guard !expression.hasVainChoice else { continue }
            #expect((bdk != nil) == (expression.fault == nil), "\(expression.written)")
            guard let bdk else { continue }
            safe += 1
            let address = Address(scriptPubKey: .p2wsh(script), network: .regtest)
            #expect(bdk["address"] as? String == address?.description, "\(expression.written)")
            // Beside the witness: the script with its length. The number of items takes no more than an input without any.
            let length = script.bytes.count
            let weight = (expression.largestSatisfaction ?? 0) + length + (length < 253 ? 1 : 3)
            let theirs = try #require(bdk["weight"] as? Int)
            // Of some `thresh` that leave a choice, rust-miniscript takes the wrong parts for the largest.
            #expect(weight == theirs || expression.hasChoice, "\(expression.written)")
            equal += weight == theirs ? 1 : 0
        }
        #expect(read > 4_000 && safe > 500, "\(read) \(safe)")
        #expect(equal > safe * 9 / 10 && unfinished < read / 50, "\(equal) of \(safe), \(unfinished) of \(read)")
        let fragments = expressions.reduce(0) { $0 + $1.fragmentCount }
        print("miniscript: \(expressions.count) expressions of \(fragments) fragments")
    }

    /// Whether a script in hexadecimal has the length of another one and is like it, but for parts that are left out and zeros
    /// in their stead.
    private static func isUnfinished(_ script: String, of whole: String) throws -> Bool {
        guard script.count == whole.count else { return false }
        var rest = try Hex.decode(whole)[...]
        for byte in try Hex.decode(script) where byte != 0 {
            guard let place = rest.firstIndex(of: byte) else { return false }
            rest = rest[(place + 1)...]
        }
        return true
    }

    @Test func theNodeCallsTheSameOnesSafe() async throws {
        let expressions = Self.expressions(1_000)
        let node = try await BitcoinNode.shared()
        let descriptors = try expressions.map { try DescriptorChecksum.append(to: "wsh(\($0.written))") }
        let answers = try await node.calls("deriveaddresses", descriptors.map { [$0] })
        for (expression, answer) in zip(expressions, answers) {
            let address = Address(scriptPubKey: .p2wsh(expression.script { .key($0) }), network: .regtest)
            let isSafe = expression.fault == nil
            #expect((answer as? [String] != nil) == isSafe, "\(expression.written) \(answer)")
            if isSafe { #expect((answer as? [String])?.first == address?.description, "\(expression.written)") }
        }
    }
}

extension Miniscript {
    /// How many fragments it has, with itself.
    fileprivate var fragmentCount: Int {
        var count = 0
        visit { _ in count += 1 }
        return count
    }

    /// Whether it has an `and_v`.
    fileprivate var hasConjunction: Bool {
        var isFound = false
        visit { if case .andV = $0 { isFound = true } }
        return isFound
    }

    /// Whether a `thresh` asks for fewer than all of its parts.
    fileprivate var hasChoice: Bool {
        var isFound = false
        visit { fragment in
            if case .threshold(let threshold, let parts) = fragment, threshold < parts.count { isFound = true }
        }
        return isFound
    }

    /// Whether a part of a `thresh` can never be satisfied.
    var hasVainChoice: Bool {
        var isFound = false
        visit { fragment in
            guard case .threshold(_, let parts) = fragment else { return }
            if parts.contains(where: { $0.resources.satisfaction == nil }) { isFound = true }
        }
        return isFound
    }
}
