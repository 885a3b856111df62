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
        let (read, safe, equal, unfinished) = try await Self.expectAgreement(on: expressions)
        #expect(read > 4_000 && safe > 500, "\(read) \(safe)")
        #expect(equal > safe * 9 / 10 && unfinished < read / 50, "\(equal) of \(safe), \(unfinished) of \(read)")
        let fragments = expressions.reduce(0) { $0 + $1.fragmentCount }
        print("miniscript: \(expressions.count) expressions of \(fragments) fragments")
    }

    /// The expressions that rust-miniscript spends on a node of its own; in the file, `H` stands for a hash.
    @Test func publishedExpressionsAreTheirs() async throws {
        let text = String(decoding: try Vectors.contents("rust-miniscript/random_ms.txt"), as: UTF8.self)
        let expressions = try text.split(separator: "\n").map { line in
            let long = String(line).replacing("256(H)", with: "256(\(String(repeating: "ab", count: 32)))")
            return try Miniscript<[UInt8]>(
                long.replacing("160(H)", with: "160(\(String(repeating: "cd", count: 20)))"))
        }
        let (read, safe, equal, _) = try await Self.expectAgreement(on: expressions)
        #expect(expressions.count == 34 && read == 68, "\(read) read")
        #expect(safe == 10 && equal == safe, "\(equal) of \(safe)")
    }

    /// Expects that the others make the same of expressions.
    /// - Returns: how many scripts of others were compared, how many expressions are safe, of how many of these rust-miniscript
    ///   says the same weight, and how many scripts libwally left unfinished.
    private static func expectAgreement(
        on expressions: [Miniscript<[UInt8]>]
    ) async throws -> (read: Int, safe: Int, equal: Int, unfinished: Int) {
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
                if peer == "wally", try expression.isLeftUnfinished(as: theirs, whole: script) {
                    unfinished += 1
                    continue
                }
                #expect(theirs == script.description, "\(peer): \(expression.written)")
            }
            let bdk = verdict["bdk"] as? [String: Any]
            // rust-miniscript refuses `thresh` with a part that can never be satisfied; Core does not.
            guard !expression.hasVainChoice else { continue }
            // Who has a key twice is refused with the descriptor.
            let hasKeyTwice = Set(expression.keys).count < expression.keys.count
            #expect((bdk != nil) == (expression.fault == nil && !hasKeyTwice), "\(expression.written)")
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
        return (read, safe, equal, unfinished)
    }

    /// Every part of an expression has the kind and the properties that embit says; it knows nothing of malleability.
    @Test func typesAreEmbits() async throws {
        var parts: [String: MiniscriptType] = [:]
        for expression in Self.expressions(1_000) {
            expression.visitParts { parts[$0.written] = $0.type }
        }
        let texts = parts.keys.sorted()
        let answer = try await PythonEnvironment.shared().run(
            "judge_miniscript.py", ["expressions": [] as [String], "parts": texts])
        let types = try #require(answer["types"] as? [Any])
        try #require(types.count == texts.count)
        var told = 0
        for (text, type) in zip(texts, types) {
            guard let type = type as? String else { continue }
            told += 1
            #expect(type == parts[text]?.letters(without: MiniscriptType.malleability), "\(text)")
        }
        #expect(told > texts.count / 2, "\(told) of \(texts.count)")
    }

    /// Parts of kind B where each malleability property decides whether the whole is safe: `s` alone, `m` beside a key, `e`
    /// as an alternative to one, `f` where it must not be dissatisfied.
    @Test func theNodeKnowsTheSameMalleability() async throws {
        typealias Expression = Miniscript<[UInt8]>
        let other = try PrivateKey(SecretBytes([UInt8](repeating: 99, count: 32))).publicKey.bytes
        let key = try Expression(.wrapped(.check, Expression(.pkK(other))))
        var parts: [String: Expression] = [:]
        for expression in Self.expressions(1_000) {
            expression.visitParts { if $0.type.contains(.base) { parts[$0.written] = $0 } }
        }
        var probes: [Expression] = []
        for (_, part) in parts.sorted(by: { $0.key < $1.key }) {
            let choice = try Expression(.orI(part, Expression(.zero)))
            probes += [part, try Expression(.andB(key, Expression(.wrapped(.alternateStack, part))))]
            probes.append(try Expression(.orB(key, Expression(.wrapped(.alternateStack, choice)))))
            guard part.type.contains(.dissatisfiable) else { continue }
            probes.append(try Expression(.orB(key, Expression(.wrapped(.alternateStack, part)))))
        }
        let isSafe = probes.map { $0.fault == nil }
        let node = try await BitcoinNode.shared()
        let answers = try await node.calls(
            "deriveaddresses", probes.map { [try DescriptorChecksum.append(to: "wsh(\($0.written))")] })
        for (number, answer) in answers.enumerated() {
            #expect((answer as? [String] != nil) == isSafe[number], "\(probes[number].written) \(answer)")
        }
        let safe = isSafe.count(where: \.self)
        #expect(safe > 500 && isSafe.count - safe > 500, "\(safe) of \(isSafe.count)")
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
    /// Calls `body` with the expression and with each of its parts.
    fileprivate func visitParts(_ body: (Miniscript) -> Void) {
        body(self)
        for part in fragment.parts { part.visitParts(body) }
    }

    /// How many fragments it has, with itself.
    fileprivate var fragmentCount: Int {
        var count = 0
        visit { _ in count += 1 }
        return count
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
