import Bitcoin
import ByteCodec
import TestSupport
import Testing

@Suite struct DescriptorTests {
    private static let file = "bips/bip380_descriptors.json"
    private static let multipathFile = "bips/bip389.json"

    /// The scripts of one row, as hexadecimal: a list, or a list of lists for `combo`.
    private func scripts(_ value: Any?) -> [[String]] {
        (value as? [Any] ?? []).map { $0 as? [String] ?? [$0 as? String ?? ""] }
    }

    private func hex(_ scripts: [Script]) -> [String] { scripts.map { Hex.encode($0.bytes) } }

    @Test func validDescriptorsHaveTheirScripts() throws {
        let rows = try Vectors.load(Self.file, kinds: ["valid"])
        #expect(rows.count == 58)
        var count = 0
        for row in rows {
            let descriptor = try Descriptor(parsing: row.text("with_checksum"), requiresChecksum: true)
            #expect(try descriptor.isRanged == row.flag("ranged"), "\(row.testDescription)")
            for (index, expected) in scripts(row.fields["scripts"]).enumerated() {
                let found = try descriptor.scripts(index: UInt32(index))
                #expect(hex(found) == expected, "\(row.testDescription), \(index)")
                #expect(try found.contains(descriptor.script(index: UInt32(index))))
                count += 1
            }
            guard let text = descriptor.text else {
                #expect(descriptor.hasPrivateKeys, "\(row.testDescription)")
                continue
            }
            // Marks of hardened steps are all written alike.
            #expect(try text.hasPrefix(row.text("descriptor").replacing("'", with: "h")), "\(row.testDescription)")
            let again = try Descriptor(parsing: text, requiresChecksum: true)
            #expect(try hex(again.scripts()) == hex(descriptor.scripts()), "\(row.testDescription)")
        }
        #expect(count == 74)
    }

    @Test func invalidDescriptorsAreRefused() throws {
        let rows = try Vectors.load(Self.file, kinds: ["invalid"])
        #expect(rows.count == 39)
        for row in rows {
            let text = try DescriptorChecksum.append(to: row.text("descriptor"))
            #expect(throws: DescriptorError.self, "\(row.testDescription)") { try Descriptor(parsing: text) }
        }
    }

    @Test func keyExpressions() throws {
        let rows = try Vectors.load(Self.file, kinds: ["key_valid"])
        #expect(rows.count == 21)
        for row in rows {
            let key = try DescriptorKey(parsing: row.text("expression"))
            #expect(key.origin?.fingerprint.description == row.fields["origin_fingerprint"] as? String)
            #expect(key.origin?.path.steps.map { Int($0.rawValue) } == row.fields["origin_path"] as? [Int])
            let steps = key.steps.map { if case .one(let number) = $0 { Int(number.rawValue) } else { -1 } }
            #expect(steps == row.fields["derivation"] as? [Int], "\(row.testDescription)")
            #expect(key.wildcard.map { $0 == .normal ? "unhardened" : "hardened" } == row.fields["wildcard"] as? String)
            let script = { try Descriptor(parsing: "pkh(\(row.text("expression")))").script() }
            if row.fields["derivable"] as? Bool == false {
                #expect(throws: DescriptorError.hardenedStep, "\(row.testDescription)") { try script() }
            } else {
                #expect(try hex([script()]) == [row.text("pkh_script_index_0")], "\(row.testDescription)")
            }
        }
    }

    @Test func wrongKeyExpressionsAreRefused() throws {
        let rows = try Vectors.load(Self.file, kinds: ["key_invalid"])
        #expect(rows.count == 16)
        for row in rows {
            #expect(throws: DescriptorError.self, "\(row.testDescription)") {
                try DescriptorKey(parsing: row.text("expression"))
            }
        }
    }

    @Test func multipathsStandForSeveral() throws {
        let rows = try Vectors.load(Self.multipathFile, kinds: ["multipath", "account"])
        #expect(rows.count == 14)
        for row in rows {
            let descriptor = try Descriptor(parsing: row.text("descriptor") + "#" + row.text("checksum"))
            let expanded = try #require(row.fields["expanded"] as? [String])
            let checksums = try #require(row.fields["expanded_checksums"] as? [String])
            #expect(descriptor.branchCount == expanded.count, "\(row.testDescription)")
            let listed = try #require(row.fields["scripts"] as? [Any])
            for (number, branch) in descriptor.branches.enumerated() {
                let single = try Descriptor(parsing: expanded[number] + "#" + checksums[number])
                if let text = branch.text { #expect(text == single.text, "\(row.testDescription)") }
                for (index, expected) in scripts(listed[number]).enumerated() {
                    let index = UInt32(index)
                    #expect(try hex(descriptor.scripts(branch: number, index: index)) == expected)
                    #expect(try hex(branch.scripts(index: index)) == expected, "\(row.testDescription)")
                    #expect(try hex(single.scripts(index: index)) == expected, "\(row.testDescription)")
                }
            }
            #expect(throws: DescriptorError.noSuchScript) { try descriptor.script(branch: expanded.count) }
        }
    }

    @Test func wrongMultipathsAreRefused() throws {
        let rows = try Vectors.load(Self.multipathFile, kinds: ["invalid"])
        #expect(rows.count == 8)
        for row in rows {
            #expect(throws: DescriptorError.self, "\(row.testDescription)") {
                try Descriptor(parsing: row.text("descriptor"))
            }
        }
    }

    @Test func whatIsWrongIsNamed() throws {
        let key = "03a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd"
        for (text, error) in [
            ("wpkh(\(key)", DescriptorError.malformed), ("wpkh(\(key)))", .key(.encoding)), ("", .malformed),
            ("wpkh()", .key(.encoding)), ("foo(\(key))", .functionNotAllowed("foo")),
            ("wsh(wpkh(\(key)))", .functionNotAllowed("wpkh")),
            ("multi(1,\(key),\(key),\(key),\(key))", .tooManyKeys(4, limit: 3)),
            ("multi(2,\(key))", .threshold), ("multi(1)", .threshold), ("raw(a)", .script), ("addr(x)", .address),
            ("tr(\(key),{pk(\(key)),pk(\(key))", .malformed), ("pkh([0000000]\(key))", .key(.origin)),
            ("pkh(\(key)/0)", .key(.noChildren)), ("wpkh(\(key))#aaaaaaaa", .checksum(.mismatch)),
        ] {
            #expect(throws: error, "\(text)") { try Descriptor(parsing: text) }
            #expect(!error.description.isEmpty)
        }
        #expect(throws: DescriptorError.checksum(.length(0))) {
            try Descriptor(parsing: "pk(\(key))", requiresChecksum: true)
        }
        let deep = String(repeating: "{", count: 130) + "pk(\(key))" + String(repeating: ",pk(\(key))}", count: 130)
        #expect(throws: DescriptorError.tooDeep) { try Descriptor(parsing: "tr(\(key),\(deep))") }
    }

    /// Every wrapper and fragment is called miniscript where it cannot stand, or is not safe; what is neither is not.
    @Test func miniscriptIsNamedWhereItCannotStand() throws {
        let key = "03a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd"
        let fragments = [
            "pk_k(\(key))", "pk_h(\(key))", "older(1)", "after(1)", "sha256(00)", "hash256(00)", "ripemd160(00)",
            "hash160(00)", "andor(0,1,1)", "and_v(v:pk(\(key)),1)", "and_b(1,a:1)", "and_n(1,1)", "or_b(0,a:0)",
            "or_c(0,v:1)", "or_d(0,1)", "or_i(0,1)", "thresh(1,0)", "0", "1",
        ]
        let wrapped = ["pk(\(key))", "pkh(\(key))", "multi(1,\(key))", "multi_a(1,\(key))"] + fragments
        let wrappers = "asctdvjnlu".map(String.init) + ["vc", "tvj", "asctdvjnlu"]
        for expression in fragments + wrappers.flatMap({ wrapper in wrapped.map { "\(wrapper):\($0)" } }) {
            let name = String(expression.prefix { $0 != "(" })
            for text in ["sh(\(expression))", expression] {
                #expect(throws: DescriptorError.misplacedMiniscript(name), "\(text)") { try Descriptor(parsing: text) }
            }
            // As scripts of taproot they are read, and judged as miniscript.
            for text in [
                "tr(\(key),\(expression))", "tr(\(key),{pk(\(key)),\(expression)})",
                "tr(\(key),{{\(expression),pk(\(key))},pk(\(key))})",
            ] {
                do throws(DescriptorError) { _ = try Descriptor(parsing: text) } catch {
                    if case .miniscript = error { continue }
                    Issue.record("\(text) \(error)")
                }
            }
        }
        #expect(
            DescriptorError.misplacedMiniscript("l:pk").description
                == "l:pk is a miniscript expression, and miniscript is allowed in wsh() and in the scripts of tr() only"
        )
        for text in ["x:pk(\(key))", ":pk(\(key))", "l:wpkh(\(key))", "l:foo(\(key))", "pk_k", "2", "0(1)", "l:"] {
            for text in [text, "wsh(\(text))", "tr(\(key),\(text))"] {
                let error = #expect(throws: DescriptorError.self) { try Descriptor(parsing: text) }
                if case .misplacedMiniscript = error { Issue.record("\(text)") }
            }
        }
    }

    /// What is cut, doubled or exchanged at any place is read or refused, and what is read is written as it is read again.
    @Test func mutationsNeverTrap() throws {
        var random = SeededGenerator()
        let texts = try Vectors.load(Self.file, kinds: ["valid"]).map { Array(try $0.text("descriptor").utf8) }
        let spice = Array("()[]{}<>;,/*h'#0129abcpkhwshtrmulti".utf8)
        var read = 0
        for _ in 0..<6_000 {
            var bytes = texts.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(spice.randomElement(using: &random) ?? 0, at: place)
                case 2: bytes[place] = spice.randomElement(using: &random) ?? 0
                default: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
                }
            }
            guard let descriptor = try? Descriptor(parsing: String(decoding: bytes, as: UTF8.self)) else { continue }
            read += 1
            _ = try? descriptor.scripts(index: 1)
            guard let text = descriptor.text else { continue }
            #expect(try Descriptor(parsing: text, requiresChecksum: true).text == text)
        }
        #expect(read > 0)
    }

    /// Where a PSBT says that a key comes from.
    @Test func originsOfKeys() throws {
        let account = try Vectors.load(Self.multipathFile, kinds: ["account"])[4]
        let descriptor = try Descriptor(parsing: account.text("descriptor"))
        let key = try #require(descriptor.keys.first)
        #expect(try key.origin(branch: 1, index: 7)?.description == "[73c5da0a/84h/0h/0h/1/7]")
        #expect(throws: DescriptorError.noSuchScript) { try key.origin(branch: 1, index: 1 << 31) }
        #expect(!descriptor.hasPrivateKeys && descriptor.isRanged)
        guard case .extended(let extended) = key.material else {
            Issue.record("not extended")
            return
        }
        let bare = try DescriptorKey(parsing: "\(extended.text)/1/*")
        #expect(
            try bare.origin(index: 3)
                == KeyOrigin(fingerprint: extended.fingerprint, path: DerivationPath(parsing: "1/3")))
        let single = try DescriptorKey(parsing: Hex.encode(extended.publicKey.bytes))
        #expect(try single.origin() == nil)
    }
}
