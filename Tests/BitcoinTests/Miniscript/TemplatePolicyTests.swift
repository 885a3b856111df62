import ByteCodec
import Foundation
import TestSupport
import Testing

@testable import Bitcoin

/// Policies made from templates say exactly what was asked for, and are safe.
@Suite struct TemplatePolicyTests {
    /// What a path takes, without the order of the keys.
    private struct Terms: Hashable {
        var threshold: Int
        var holders: Set<Fingerprint>
        var older: [UInt32]

        init(threshold: Int, keys: [PolicyKey], older: [UInt32] = []) {
            (self.threshold, self.older) = (threshold, older)
            holders = Set(keys.map(\.origin.fingerprint))
        }

        init?(_ path: Descriptor.Path) {
            guard path.signers.count == 1, path.after.isEmpty, path.preimages.isEmpty else { return nil }
            (threshold, older) = (path.signers[0].threshold, path.older)
            let origins = path.signers[0].keys.compactMap(\.key.origin)
            guard origins.count == path.signers[0].keys.count else { return nil }
            holders = Set(origins.map(\.fingerprint))
            guard holders.count == origins.count else { return nil }
        }
    }

    @Test func theSpendingPathsAreThoseAskedFor() throws {
        var generator = SeededGenerator()
        for _ in 0..<400 {
            let random = try RandomPolicy(&generator)
            let policy = try random.policy()
            let later =
                switch random.template {
                case .decaying: random.keys
                case .expanding: random.keys + random.laterKeys
                case .inheritance, .recovery: random.laterKeys
                }
            let asked: Set = [
                Terms(threshold: random.threshold, keys: random.keys),
                Terms(
                    threshold: random.laterThreshold ?? random.threshold, keys: later,
                    older: [UInt32(random.blocks)]),
            ]
            let paths = try #require(policy.descriptor.spendingPaths)
            #expect(paths.count == 2 && Set(paths.compactMap { Terms($0) }) == asked, "\(random)")
            let miniscript = try #require(policy.descriptor.miniscript)
            #expect(miniscript.fault == nil && miniscript.type.contains([.safe, .nonmalleable]))
            #expect(policy.blocks == random.blocks && policy.first.keys == random.keys && policy.later.keys == later)
        }
    }

    /// A key that is on both paths is two keys; every other is at `<0;1>`.
    @Test func everyKeyIsThereOnceAtEachPlace() throws {
        var generator = SeededGenerator()
        for _ in 0..<100 {
            let random = try RandomPolicy(&generator)
            let text = try #require(try random.policy().descriptor.text)
            for (number, key) in (random.keys + random.laterKeys).enumerated() {
                let isAgain = number < random.keys.count && [.decaying, .expanding].contains(random.template)
                #expect(text.ranges(of: "\(key)/<0;1>/*").count == 1)
                #expect(text.ranges(of: "\(key)/<2;3>/*").count == (isAgain ? 1 : 0))
                #expect(text.ranges(of: key.key.text).count == (isAgain ? 2 : 1))
            }
        }
    }

    @Test func othersDeriveTheSameAddresses() async throws {
        var generator = SeededGenerator()
        var descriptors: [Descriptor] = []
        for _ in 0..<150 { descriptors.append(try RandomPolicy(&generator).policy().descriptor) }
        let answer = try await PythonEnvironment.shared().run(
            "derive_descriptors.py",
            ["network": "regtest", "count": 3, "descriptors": descriptors.compactMap(\.text)])
        let results = try #require(answer["results"] as? [[String: Any]])
        try #require(results.count == descriptors.count)
        for (descriptor, result) in zip(descriptors, results) {
            let own = try (0..<2).map { branch in
                try (UInt32(0)..<3).map { index in
                    let script = try descriptor.script(branch: branch, index: index)
                    return try #require(Address(scriptPubKey: script, network: .regtest)).description
                }
            }
            #expect(result["bdk"] as? [[String]] == own, "\(descriptor.text ?? "")")
            #expect(result["embit"] as? [[String]] == own, "\(descriptor.text ?? "")")
        }
    }

    /// The longest that there is fits into a transaction that nodes relay.
    @Test func theLargestAreSafe() throws {
        var generator = SeededGenerator()
        let keys = try RandomPolicy.keys(40, &generator)
        let (first, second) = (Array(keys.prefix(20)), Array(keys.suffix(20)))
        for (template, own, later) in [
            (PolicyTemplate.decaying, first, []), (.expanding, Array(first.prefix(19)), [second[0]]),
            (.inheritance, first, second),
        ] {
            let policy = try TemplatePolicy(
                template, keys: own, threshold: 16, laterKeys: later,
                laterThreshold: template.hasLaterThreshold ? 15 : nil, blocks: 65_535)
            #expect(policy.descriptor.spendingPaths?.count == 2)
        }
    }

    @Test func whatCannotBeIsRefused() throws {
        var generator = SeededGenerator()
        let keys = try RandomPolicy.keys(42, &generator)
        let (a, b, c) = (keys[0], keys[1], keys[2])
        let posing = PolicyKey(origin: a.origin, key: b.key)
        let chained = PolicyKey(
            origin: b.origin,
            key: ExtendedPublicKey(
                network: .test, depth: 4, chainCode: b.key.chainCode, publicKey: a.key.publicKey))
        let main = PolicyKey(origin: b.origin, key: b.key.written(for: .main))
        func fault(
            _ template: PolicyTemplate, _ keys: [PolicyKey], _ threshold: Int, _ later: [PolicyKey], _ number: Int?,
            _ blocks: Int = 100
        ) -> PolicyTemplateError? {
            do throws(PolicyTemplateError) {
                _ = try TemplatePolicy(
                    template, keys: keys, threshold: threshold, laterKeys: later, laterThreshold: number,
                    blocks: blocks)
                return nil
            } catch { return error }
        }
        #expect(fault(.inheritance, [a], 1, [b], 1) == nil && fault(.decaying, [a, b], 2, [], 1) == nil)
        #expect(fault(.decaying, [a], 1, [], 1) == .tooFewKeys)
        #expect(fault(.recovery, [], 1, [b], 1) == .tooFewKeys)
        #expect(fault(.inheritance, [a], 1, [], 1) == .noLaterKeys)
        #expect(fault(.decaying, [a, b], 2, [c], 1) == .needlessLaterKeys)
        #expect(fault(.inheritance, [a], 2, [b], 1) == .threshold(2, of: 1))
        #expect(fault(.inheritance, [a], 0, [b], 1) == .threshold(0, of: 1))
        #expect(fault(.inheritance, [a], 1, [b], 2) == .laterThreshold(2, of: 1))
        #expect(fault(.inheritance, [a], 1, [b], nil) == .laterThreshold(0, of: 1))
        #expect(fault(.decaying, [a, b], 2, [], 2) == .notFewer(2, than: 2))
        for blocks in [Int.min, 0, 65_536, 4_194_305, Int.max] {
            #expect(fault(.inheritance, [a], 1, [b], 1, blocks) == .blocks(blocks))
        }
        #expect(fault(.inheritance, [a], 1, [a], 1) == .sameKey(1, 2))
        #expect(fault(.inheritance, [a], 1, [chained], 1) == .sameKey(1, 2))
        #expect(fault(.expanding, [a, b], 2, [posing], nil) == .sameHolder(1, 3, a.origin.fingerprint))
        #expect(fault(.expanding, [a, main], 2, [c], nil) == .otherNetwork(2))
        #expect(fault(.inheritance, Array(keys.prefix(21)), 1, [keys[30]], 1) == .tooManyKeys(21))
        #expect(fault(.expanding, Array(keys.prefix(15)), 1, Array(keys.suffix(6)), nil) == .tooManyKeys(21))
    }

    @Test func keysAreReadAsTheirHoldersWriteThem() throws {
        var generator = SeededGenerator()
        let key = try RandomPolicy.keys(1, &generator)[0]
        for ending in ["", "/<0;1>/*", "/**"] { #expect(try PolicyKey(parsing: "\(key)\(ending)") == key) }
        #expect(try PolicyKey(parsing: "\(key.origin)".replacing("h", with: "'") + key.key.text) == key)
        let secret = try ExtendedPrivateKey(seed: SecretBytes([UInt8](repeating: 1, count: 32)), network: .test)
        let faults: [(String, PolicyKeyFault)] = [
            (key.key.text, .noOrigin), ("\(key.origin)\(secret.text)", .privateKey), (secret.text, .privateKey),
            ("\(key.origin)\(Hex.encode(key.key.publicKey.bytes))", .notExtended), ("\(key)/0/*", .steps),
            ("\(key)/<2;3>/*", .steps), ("\(key)/*", .steps), ("\(key)/<0;1>", .steps), ("", .key(.encoding)),
            ("[zz]\(key.key.text)", .key(.origin)), ("\(key)x", .key(.encoding)),
        ]
        for (text, fault) in faults {
            #expect(throws: fault, "\(text)") { try PolicyKey(parsing: text) }
        }
    }
}
