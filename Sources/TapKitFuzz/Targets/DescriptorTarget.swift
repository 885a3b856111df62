import Bitcoin

/// Output descriptors.
enum DescriptorTarget: FuzzTarget {
    static let name = "descriptor"
    static let maximumLength = 2_048

    static func run(_ bytes: [UInt8]) throws {
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        let descriptor = try Descriptor(parsing: text)
        guard let written = descriptor.text else {
            expect(descriptor.hasPrivateKeys, "only what is private is not written")
            return
        }
        expect(!descriptor.hasPrivateKeys, "what is private is not written")
        let again = required("what is written is read") { try Descriptor(parsing: written, requiresChecksum: true) }
        expectSame(again.text, written, "a descriptor is written in one way")
        expectSame(again.branchCount, descriptor.branchCount, "writing changes no branches")
        expectSame(again.isRanged, descriptor.isRanged, "writing changes no wildcard")

        let branches = descriptor.branches
        expectSame(branches.count, descriptor.branchCount, "there are as many branches as counted")
        for (number, branch) in branches.enumerated().prefix(3) {
            expectSame(branch.branchCount, 1, "a branch has no branches")
            for index: UInt32 in descriptor.isRanged ? [0, 7] : [0] {
                check(descriptor, again, branch, number, index)
            }
        }
    }

    private static func check(
        _ descriptor: Descriptor, _ again: Descriptor, _ branch: Descriptor, _ number: Int, _ index: UInt32
    ) {
        guard let scripts = try? descriptor.scripts(branch: number, index: index) else {
            expect((try? again.scripts(branch: number, index: index)) == nil, "writing makes no scripts")
            return
        }
        expectSame(try? again.scripts(branch: number, index: index), scripts, "writing changes no scripts")
        expectSame(try? branch.scripts(index: index), scripts, "a branch has the scripts of its number")
        let derived = required("a branch is derived") { try descriptor.derivingBranch(number) }
        expectSame(try? derived.scripts(index: index), scripts, "deriving a branch changes no scripts")

        let spendings = required("what has scripts can be spent") {
            try descriptor.spendings(branch: number, index: index)
        }
        expectSame(spendings.map(\.scriptPubKey), scripts, "what is spent is what is paid to")
        expectSame(
            try? derived.spendings(index: index), spendings, "deriving a branch changes nothing that a PSBT says")
        for spending in spendings { check(spending) }
    }

    private static func check(_ spending: SpendingInformation) {
        if spending.taproot == nil, spending.redeemScript != nil || spending.witnessScript != nil {
            let script = required("a descriptor's scripts open its output") {
                try SpendingScript(
                    scriptPubKey: spending.scriptPubKey, redeemScript: spending.redeemScript,
                    witnessScript: spending.witnessScript)
            }
            for derivation in spending.derivations {
                expect(script.names(publicKey: derivation.publicKey), "a key that is named stands in the script")
            }
        }
        for network in [Network.main, .test] {
            guard let address = Address(scriptPubKey: spending.scriptPubKey, network: network) else { continue }
            let descriptor = required("an address makes a descriptor") {
                try Descriptor(parsing: "addr(\(address))")
            }
            expectSame(try? descriptor.script(), spending.scriptPubKey, "the address of a script leads to it")
        }
    }

    static func seeds(_ vectors: VectorTexts) throws -> [[UInt8]] {
        let files = ["bips/bip380_descriptors.json", "bips/bip389.json", "bitcoin-core/descriptors_unparsable.json"]
        let texts = try files.flatMap { try vectors.texts(in: $0) }.filter { $0.contains("(") }
        let plain = texts.map { $0.prefix { $0 != "#" } }
        let hardened = plain.filter { $0.contains("/*)") }.map { $0.replacing("/*)", with: "/*h)") }
        return (texts + plain.map(String.init) + hardened.map { String($0) } + policies).map { Array($0.utf8) }
    }

    /// Miniscript in a witness script, and in scripts of taproot.
    private static let policies: [String] = {
        let (one, other) = (
            "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
            "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
        )
        return [
            "wsh(or_d(pk(02\(one)),and_v(v:pkh(02\(other)),older(144))))",
            "tr(\(one),{and_v(v:pk(\(other)),after(9)),thresh(2,pk(\(one)),s:pk(\(other)),sdv:older(5))})",
            "tr(\(one),and_v(v:multi_a(1,\(one),\(other)),hash160(\(String(repeating: "07", count: 20)))))",
        ]
    }()
}
