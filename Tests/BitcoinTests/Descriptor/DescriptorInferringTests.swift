import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct DescriptorInferringTests {
    private func text(
        _ script: Script, _ clues: Descriptor.Clues = Descriptor.Clues(), callsSorted: Bool = false
    ) throws -> String {
        let descriptor = Descriptor(inferredFrom: script, clues: clues, network: .test, callsSorted: callsSorted)
        #expect(try descriptor.script() == script)
        let text = try #require(descriptor.text)
        #expect(try Descriptor(parsing: text, requiresChecksum: true).script() == script)
        return String(text.dropLast(9))
    }

    /// What a wallet knows of its outputs gives their descriptors back, with fixed keys.
    @Test func walletsOutputsAreInferred() throws {
        let account = try SampleAccount(.p2wpkh)
        let origin = KeyOrigin(
            fingerprint: account.masters[0].neutered.fingerprint, path: try DerivationPath(parsing: "84h/1h/0h/0/3"))
        let key = try account.masters[0].descendant(origin.path).privateKey.publicKey
        for (kind, front, back) in [
            (SampleAccount.Kind.p2pkh, "pkh(", ")"), (.p2wpkh, "wpkh(", ")"), (.p2shP2WPKH, "sh(wpkh(", "))"),
        ] {
            let spending = try SampleAccount(kind).descriptor.spending(index: 3)
            #expect(
                try text(spending.scriptPubKey, Descriptor.Clues(spending)) == "\(front)\(origin)\(key)\(back)")
        }
        let taproot = try SampleAccount(.p2tr).descriptor.spending(index: 3)
        #expect(
            try text(taproot.scriptPubKey, Descriptor.Clues(taproot))
                == "tr(\(origin)\(key.description.dropFirst(2)))")
        for (kind, front) in [
            (SampleAccount.Kind.p2shMulti, "sh("), (.p2wshMulti, "wsh("), (.p2shP2WSHMulti, "sh(wsh("),
        ] {
            let spending = try SampleAccount(kind).descriptor.spending(index: 3)
            let clues = Descriptor.Clues(spending)
            #expect(try text(spending.scriptPubKey, clues).hasPrefix("\(front)multi(2,["))
            #expect(
                try text(spending.scriptPubKey, clues, callsSorted: true).hasPrefix("\(front)sortedmulti(2,["))
        }
    }

    /// Whatever is known, the inferred descriptor has the script.
    @Test func everyVectorKeepsItsScript() throws {
        let rows = try Vectors.load("bips/bip380_descriptors.json", kinds: ["valid"])
        var telling = 0
        for row in rows {
            let descriptor = try Descriptor(parsing: row.text("descriptor"))
            for spending in try descriptor.spendings(index: 1) {
                let inferred = try text(spending.scriptPubKey, Descriptor.Clues(spending))
                if !inferred.hasPrefix("addr("), !inferred.hasPrefix("raw(") { telling += 1 }
                _ = try text(spending.scriptPubKey)
            }
        }
        #expect(telling > 30)
    }

    @Test func withoutCluesThereIsTheAddressOrTheScript() throws {
        let key = try SampleAccount(.p2wpkh).descriptor.spending()
        #expect(try text(key.scriptPubKey).hasPrefix("addr(tb1q"))
        let tree = try SampleAccount(.p2trTree).descriptor.spending()
        #expect(try text(tree.scriptPubKey, Descriptor.Clues(tree)).hasPrefix("addr(tb1p"))
        #expect(try text(Script([0x51])) == "raw(51)")
        #expect(try text(Script()) == "raw()")
        #expect(try text(.nullData([1, 2])).hasPrefix("raw(6a"))
        // The key of a bare script stands in it; one that is no point of the curve does not pass for one.
        let publicKey = try #require(key.derivations.first?.publicKey)
        #expect(try text(Script([33] + publicKey + [0xAC])) == "pk(\(Hex.encode(publicKey)))")
        let hybrid = [6] + [UInt8](repeating: 1, count: 64)
        #expect(try text(Script([65] + hybrid + [0xAC])).hasPrefix("raw("))
    }

    @Test func wrongCluesAreOfNoEffect() throws {
        let one = try SampleAccount(.p2wshMulti).descriptor.spending(index: 1)
        let other = try SampleAccount(.p2wshMulti).descriptor.spending(index: 2)
        #expect(try text(one.scriptPubKey, Descriptor.Clues(other)).hasPrefix("addr(tb1q"))
        let single = try SampleAccount(.p2shP2WPKH).descriptor.spending()
        var clues = Descriptor.Clues(single)
        clues.redeemScript = single.scriptPubKey
        #expect(try text(single.scriptPubKey, clues).hasPrefix("addr(2"))
        // A script that names itself ends.
        let recursive = Script.p2sh(Script([0x51]))
        clues.redeemScript = recursive
        #expect(try text(.p2sh(recursive), clues).hasPrefix("addr(2"))
    }

    /// Over random descriptors and whatever is known of them: always the same script; with all known, the same words.
    @Test func randomDescriptorsKeepTheirScripts() throws {
        var generator = SeededGenerator()
        for _ in 0..<500 {
            let count = Int.random(in: 1...5, using: &generator)
            let keys = try (0..<count).map { _ in
                let key = try PrivateKey(SecretBytes([1] + generator.bytes(31...31))).publicKey
                let fingerprint = Hex.encode(generator.bytes(4...4))
                let path = generator.next() % 2 == 0 ? "" : "/\(generator.next() % 100)h/\(generator.next() % 100)"
                return "[\(fingerprint)\(path)]\(key)"
            }
            let threshold = Int.random(in: 1...count, using: &generator)
            let multi = "multi(\(threshold),\(keys.joined(separator: ",")))"
            let single = ["pk", "pkh"].map { "\($0)(\(keys[0]))" }
            let all =
                single + ["wpkh(\(keys[0]))", "sh(wpkh(\(keys[0])))", "sh(\(multi))", "wsh(\(multi))"]
                + ["sh(wsh(\(multi)))"] + single.flatMap { ["sh(\($0))", "wsh(\($0))", "sh(wsh(\($0)))"] }
                + (count <= 3 ? [multi] : [])
            let wanted = try #require(all.randomElement(using: &generator))
            let spending = try Descriptor(parsing: wanted).spending()
            var clues = Descriptor.Clues(spending)
            #expect(try text(spending.scriptPubKey, clues) == wanted)
            if Bool.random(using: &generator) { clues.redeemScript = nil }
            if Bool.random(using: &generator) { clues.witnessScript = nil }
            clues.derivations = clues.derivations.filter { _ in Bool.random(using: &generator) }
            _ = try text(spending.scriptPubKey, clues)
        }
    }

    /// Too many keys for their place.
    @Test func largeBareMultisigsAreTheirScript() throws {
        let keys = try (1...4).map { number in
            try PrivateKey(SecretBytes([UInt8](repeating: 0, count: 31) + [UInt8(number)])).publicKey
        }
        let three = try MultisigScript(threshold: 2, sorting: Array(keys.prefix(3))).script
        #expect(try text(three).hasPrefix("multi(2,"))
        let four = try MultisigScript(threshold: 2, sorting: keys).script
        #expect(try text(four).hasPrefix("raw(52"))
    }
}
