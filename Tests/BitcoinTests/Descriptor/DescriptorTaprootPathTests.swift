import ByteCodec
import TestSupport
import Testing

@testable import Bitcoin

/// Taproot descriptors with miniscript in their scripts: read, written, derived, and how they can be spent.
@Suite struct DescriptorTaprootPathTests {
    private static let keys = [
        "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5",
        "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9",
        "e493dbf1c10d80f3581e4904930b1404cc6c13900ee0758474fa94abe8c4cd13",
    ]
    private static let internalKey = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
    /// Of which nobody has the private key: BIP-341.
    private static let unspendable = "50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0"
    private static let extended =
        "xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB"

    /// `A`, `B`, `C` are keys, `K` is the internal key.
    private func descriptor(_ text: String) throws -> Descriptor {
        var expanded = ""
        for letter in text {
            switch letter {
            case "A": expanded += Self.keys[0]
            case "B": expanded += Self.keys[1]
            case "C": expanded += Self.keys[2]
            case "K": expanded += Self.internalKey
            case "H": expanded += Self.unspendable
            default: expanded.append(letter)
            }
        }
        return try Descriptor(parsing: expanded)
    }

    private func summary(_ path: Descriptor.Path) -> String {
        let signers = path.signers.map { "\($0.threshold) of \($0.keys.map { "\($0.number)" }.joined(separator: " "))" }
        return (signers + path.older.map { "older \($0)" } + path.after.map { "after \($0)" }).joined(separator: ", ")
    }

    private static let example = "tr(K,{and_v(v:pk(A),older(144)),multi_a(2,B,C)})"

    @Test(arguments: [
        example, "tr(K,and_v(v:multi_a(2,A,B,C),after(900000)))",
        "tr(K,{pk(A),{or_d(pk(B),and_v(v:pkh(C),older(9))),pk(A)}})",
        "tr(K,thresh(2,pk(A),s:pk(B),s:pk(C),sdv:older(4194305)))",
        "tr(H,{sortedmulti_a(2,A,B),c:or_i(pk_k(A),pk_h(B))})",
    ])
    func whatIsWrittenIsReadAgain(_ text: String) throws {
        let descriptor = try descriptor(text)
        let written = try #require(descriptor.text)
        let again = try Descriptor(parsing: written, requiresChecksum: true)
        #expect(again.text == written)
        #expect(try again.script() == descriptor.script())
        #expect(written.prefix { $0 != "#" }.count == text.count + 63 * text.count { $0.isUppercase })
    }

    @Test func pathsAreListed() throws {
        let descriptor = try descriptor(Self.example)
        #expect(descriptor.hasPolicy && descriptor.miniscript == nil)
        let paths = try #require(descriptor.spendingPaths)
        #expect(paths.map(summary) == ["1 of 0", "1 of 1, older 144", "2 of 2 3"])
        for path in paths {
            for key in path.signers.flatMap(\.keys) { #expect(descriptor.keys[key.number].text == key.key.text) }
        }
        // A signature; a signature, script of 38 bytes and control block of 65; two signatures, script of 70 bytes.
        #expect(paths.map { descriptor.satisfactionWeight(of: $0) } == [66, 1 + 65 + 39 + 66, 1 + 130 + 71 + 66])
        let mixed = try self.descriptor("tr(K,{{pk(A),or_d(pk(B),and_v(v:pkh(C),older(9)))},sortedmulti_a(1,A,B)})")
        #expect(
            mixed.spendingPaths?.map(summary) == ["1 of 0", "1 of 1", "1 of 2", "1 of 3, older 9", "1 of 4 5"])
        #expect(try self.descriptor("tr(K)").spendingPaths == nil && !self.descriptor("tr(K)").hasPolicy)
    }

    /// A key that nobody has is not a spending path, nor what is derived from it.
    @Test func nobodySpendsWithAKeyThatNobodyHas() throws {
        #expect(try descriptor("tr(H,and_v(v:pk(A),pk(B)))").spendingPaths?.map(summary) == ["2 of 1 2"])
        #expect(try descriptor("tr(02H,pk(A))").spendingPaths?.map(summary) == ["1 of 1"])
        let point = try PublicKey(Hex.decode("02" + Self.unspendable))
        let chainCode = try #require(ChainCode([UInt8](repeating: 7, count: 32)))
        let key = try DescriptorKey(
            parsing: ExtendedPublicKey(network: .main, chainCode: chainCode, publicKey: point).text[...])
        let derived = try Descriptor(parsing: "tr(\(try #require(key.text))/<0;1>/*,pk(\(Self.keys[0])))")
        #expect(derived.spendingPaths?.count == 1)
    }

    /// What is cut, doubled or exchanged at any place is read or refused, and what is read is written as it is read again.
    @Test func mutationsNeverTrap() throws {
        var random = SeededGenerator(for: "mutations of taproot scripts")
        let texts = [
            Self.example, "tr(H,{andor(pk(A),older(9),and_v(v:pkh(B),after(7))),thresh(2,pk(A),s:pk(B),sdv:older(5))})",
            "tr(K,or_d(multi_a(2,A,B),and_v(v:hash160(\(String(repeating: "07", count: 20))),c:or_i(pk_k(A),pk_h(C)))))",
        ]
        let spice = Array("(),:0123456789ABCKHacdjlnstuv".utf8)
        var read = 0
        for _ in 0..<6_000 {
            var bytes = Array((texts.randomElement(using: &random) ?? "").utf8)
            for _ in 0..<Int.random(in: 1...2, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(spice.randomElement(using: &random) ?? 0, at: place)
                default: bytes[place] = spice.randomElement(using: &random) ?? 0
                }
            }
            guard let descriptor = try? descriptor(String(decoding: bytes, as: UTF8.self)) else { continue }
            read += 1
            let written = try #require(descriptor.text)
            let again = try Descriptor(parsing: written, requiresChecksum: true)
            #expect(again.text == written)
            #expect(try again.spending() == descriptor.spending(), "\(written)")
            #expect(again.spendingPaths?.map(summary) == descriptor.spendingPaths?.map(summary))
            for path in descriptor.spendingPaths ?? [] { #expect(descriptor.satisfactionWeight(of: path) != nil) }
        }
        #expect(read > 50, "\(read)")
    }

    @Test func tooManyPathsAreNotListed() throws {
        let leaf = "or_i(pk(A),and_v(v:pk(B),older(1)))"
        func tree(_ count: Int) -> String { count == 1 ? leaf : "{\(leaf),\(tree(count - 1))}" }
        #expect(try descriptor("tr(H,\(tree(32)))").spendingPaths?.count == 64)
        #expect(try descriptor("tr(K,\(tree(32)))").spendingPaths == nil)
        #expect(try descriptor("tr(K,\(tree(100)))").spendingPaths == nil)
    }

    @Test func keysOfLeavesAreTold() throws {
        let text = "tr(K/0/*,{and_v(v:pk(X/<0;1>/*),older(144)),multi_a(1,X/<2;3>/*,A)})"
            .replacing("X", with: "[01020304/48h]\(Self.extended)").replacing("K", with: Self.extended)
            .replacing("A)", with: "\(Self.keys[0]))")
        let descriptor = try Descriptor(parsing: text)
        let taproot = try #require(try descriptor.spending(branch: 1, index: 7).taproot)
        #expect(taproot.leaves.count == 2)
        #expect(
            taproot.derivations.map { "\($0.path) \($0.leafHashes.count)" } == [
                "m/0/7 0", "m/48h/1/7 1", "m/48h/3/7 1",
            ])
        let hashes = taproot.leaves.map { TaprootLeaf.hash(version: 0xC0, script: $0.script.bytes) }
        #expect(taproot.derivations.flatMap(\.leafHashes) == hashes)
        for leaf in taproot.leaves {
            let read = try #require(leaf.miniscript)
            #expect(read.script { $0 } == leaf.script)
            let told = Set(taproot.derivations.map(\.xOnlyKey))
            #expect(told.contains(try #require(read.keys.first).bytes))
        }
        #expect(try descriptor.derivingBranch(1).spending(index: 7).taproot == taproot)
    }

    @Test func whatIsNotSafeOrNotAllowedIsNamed() throws {
        for (text, error) in [
            ("older(144)", DescriptorError.miniscript(.needsNoSignature)), ("multi(1,A)", .functionNotAllowed("multi")),
            ("and_v(v:multi(1,A),older(1))", .miniscript(.unknownName("multi"))),
            ("and_v(v:pk(A),pk(02A))", .miniscript(.repeatedKey)), ("and_v(v:pk(A),pk(A))", .miniscript(.repeatedKey)),
            ("and_v(v:pk(04A),older(1))", .key(.encoding)), ("and_v(v:pk(A),older(0))", .miniscript(.number("older"))),
            ("and_v(v:sortedmulti_a(1,A),older(1))", .miniscript(.unknownName("sortedmulti_a"))),
            ("and_v(v:pk(A),older(1)", .miniscript(.malformed)), ("v:pk(A)", .miniscript(.notBase)),
        ] {
            #expect(throws: error, "\(text)") { try descriptor("tr(K,\(text))") }
        }
        // In several scripts, a key may appear.
        #expect(try descriptor("tr(A,{and_v(v:pk(A),older(1)),and_v(v:pk(A),older(2))})").spendingPaths?.count == 3)
        // An extended private key is not written.
        let secret =
            "xprv9s21ZrQH143K31xYSDQpPDxsXRTUcvj2iNHm5NUtrGiGG5e2DtALGdso3pGz6ssrdK4PFmM8NSpSBHNqPqm55Qn3LqFtT2emdEXVYsCzC2U"
        let held = try Descriptor(parsing: "tr(\(Self.internalKey),and_v(v:pk(\(secret)/*),older(1)))")
        #expect(held.text == nil && held.hasPrivateKeys)
    }
}

/// What a PSBT proves of how a taproot input can be spent.
extension DescriptorTaprootPathTests {
    private func input(_ descriptor: Descriptor) throws -> (psbt: PSBT, script: SpendingScript) {
        let spending = try descriptor.spending()
        let taproot = try #require(spending.taproot)
        let outpoint = Outpoint(transactionID: TransactionID(hashing: [1]), index: 0)
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: [TransactionInput(outpoint: outpoint, sequence: 0)],
                outputs: [TransactionOutput(value: 1_000, scriptPubKey: spending.scriptPubKey)]))
        psbt[input: 0].taprootInternalKey = taproot.internalKey
        psbt[input: 0].taprootMerkleRoot = taproot.merkleRoot
        for leaf in taproot.leaves { psbt[input: 0].addTaprootLeafScript(leaf) }
        return (psbt, try spending.spendingScript())
    }

    @Test func whatAPSBTProves() throws {
        let descriptor = try descriptor(Self.example)
        var (psbt, script) = try input(descriptor)
        let paths = try #require(psbt.inputs[0].taprootPaths(of: script))
        let expected = try #require(descriptor.spendingPaths)
        func keys(_ path: SpendingPath<ScriptKey>) -> [[UInt8]] { path.signers.flatMap(\.keys).map(\.bytes) }
        let said = try expected.map { try $0.signers.flatMap(\.keys).map { try $0.key.publicKey() } }
        // In whichever order the fields are.
        #expect(Set(paths.map(keys)) == Set(said))
        #expect(Set(paths.map(\.older)) == [[], [144]])
        // The control blocks alone prove it, whatever other fields say, or leave out.
        psbt[input: 0].taprootMerkleRoot = [UInt8](repeating: 7, count: 32)
        psbt[input: 0].taprootInternalKey = nil
        #expect(psbt.inputs[0].taprootPaths(of: script)?.count == 3)
        // What is not under the output key is not shown.
        let leaf = try #require(psbt.inputs[0].taprootLeafScripts.first)
        let other = try #require(try self.descriptor("tr(K,and_v(v:pk(A),older(1)))").spending().taproot?.leaves.first)
        psbt[input: 0].addTaprootLeafScript(
            TaprootLeafScript(controlBlock: leaf.controlBlock, script: other.script, leafVersion: leaf.leafVersion))
        #expect(psbt.inputs[0].taprootPaths(of: script)?.count == 2)
        (psbt, script) = try input(self.descriptor("tr(K,{{pk(A),pk(C)},pk(B)})"))
        #expect(psbt.inputs[0].taprootPaths(of: script)?.count == 4)
        (psbt, script) = try input(self.descriptor("tr(H,{pk(A),pk(B)})"))
        #expect(psbt.inputs[0].taprootPaths(of: script)?.count == 2)
        // An internal key alone is not a policy.
        (psbt, script) = try input(self.descriptor("tr(K)"))
        #expect(psbt.inputs[0].taprootPaths(of: script) == nil)
    }
}
