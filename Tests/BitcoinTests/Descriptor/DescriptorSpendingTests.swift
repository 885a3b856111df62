import ByteCodec
import TestSupport
import Testing

@testable import Bitcoin

@Suite struct DescriptorSpendingTests {
    /// Descriptors of the published vectors that have scripts, each with the numbers of its branches.
    private func descriptors() throws -> [Descriptor] {
        let single = try Vectors.load("bips/bip380_descriptors.json", kinds: ["valid"]).map { row in
            try Descriptor(parsing: row.text("descriptor"))
        }
        let multipath = try Vectors.load("bips/bip389.json", kinds: ["multipath", "account"]).map { row in
            try Descriptor(parsing: row.text("descriptor"))
        }
        return single + multipath
    }

    /// What is told of every output of the vectors opens it, names its keys, and is the same derived in one step or two.
    @Test func everyOutputIsOpened() throws {
        var opened = 0
        var named = 0
        for descriptor in try descriptors() {
            for branch in 0..<descriptor.branchCount {
                guard let scripts = try? descriptor.scripts(branch: branch, index: 7) else { continue }
                let spendings = try descriptor.spendings(branch: branch, index: 7)
                #expect(spendings.map(\.scriptPubKey) == scripts, "\(descriptor.text ?? "")")
                #expect(try descriptor.derivingBranch(branch).spendings(index: 7) == spendings)
                #expect(try descriptor.derivingBranch(branch).isRanged == descriptor.isRanged)
                let one = try descriptor.spending(branch: branch, index: 7)
                #expect(try one.scriptPubKey == descriptor.script(branch: branch, index: 7))
                for spending in spendings where !Self.isHidden(descriptor) {
                    let script = try spending.spendingScript()
                    opened += 1
                    for derivation in spending.derivations {
                        #expect(script.names(publicKey: derivation.publicKey))
                        named += 1
                    }
                    #expect((spending.taproot != nil) == (script.form == .p2tr))
                    if let taproot = spending.taproot { try expectCommitted(taproot, in: spending.scriptPubKey) }
                }
            }
        }
        #expect(opened > 70)
        #expect(named > 40)
    }

    /// Every leaf is proven to be under the output key, as the interpreter of scripts does it.
    private func expectCommitted(_ taproot: SpendingInformation.Taproot, in script: Script) throws {
        #expect(taproot.leaves.isEmpty == (taproot.merkleRoot == nil))
        let outputKey = Array(script.bytes.dropFirst(2))
        for leaf in taproot.leaves {
            let block = try ControlBlock(leaf.controlBlock)
            #expect(block.leafVersion == leaf.leafVersion)
            #expect(
                block.commits(
                    outputKey: outputKey,
                    to: TaprootLeaf.hash(version: leaf.leafVersion, script: leaf.script.bytes)))
        }
        #expect(taproot.tree.isEmpty || TapTree.isComplete(taproot.tree[...]))
    }

    /// Whether the descriptor is an address or a script alone, behind whose hash nobody sees.
    private static func isHidden(_ descriptor: Descriptor) -> Bool {
        switch descriptor.expression {
        case .address, .raw: true
        default: false
        }
    }

    @Test func missingBranchesAndHardenedStepsAreRefused() throws {
        let key =
            "xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL"
        let descriptor = try Descriptor(parsing: "wpkh(\(key)/<0;1>/*)")
        #expect(throws: DescriptorError.noSuchScript) { try descriptor.spending(branch: 2) }
        #expect(throws: DescriptorError.noSuchScript) { try descriptor.derivingBranch(2) }
        #expect(throws: DescriptorError.noSuchScript) { try descriptor.derivingBranch(-1) }
        #expect(throws: DescriptorError.noSuchScript) { try descriptor.spending(index: 0x8000_0000) }
        #expect(throws: DescriptorError.hardenedStep) {
            try Descriptor(parsing: "wpkh(\(key)/0h/*)").derivingBranch(0)
        }
        #expect(throws: DescriptorError.hardenedStep) {
            try Descriptor(parsing: "wpkh(\(key)/0/*h)").derivingBranch(0).spending()
        }
    }

    /// A key in several places is told once; keys without origin are not told.
    @Test func keysAreToldOnce() throws {
        let one = "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
        let other = "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9"
        let multi = try Descriptor(parsing: "wsh(multi(2,[01020304/1]\(one),[05060708/2]\(one),\(other)))")
        #expect(try multi.spending().derivations.map { $0.origin.description } == ["[01020304/1]"])
        let tree = try Descriptor(
            parsing:
                "tr([01020304/1]\(one),{pk([01020304/1]\(one)),{pk(\(other)),multi_a(1,[01020304/1]\(one),\(other))}})")
        let taproot = try #require(try tree.spending().taproot)
        #expect(taproot.derivations.count == 1)
        #expect(taproot.derivations[0].leafHashes.count == 2)
        #expect(taproot.merkleRoot?.count == 32)
        #expect(try tree.spending().derivations.isEmpty)
    }

    @Test func accountsOfCosignersAreTold() throws {
        let account = try SampleAccount(.p2wshMulti)
        let keys = account.descriptor.extendedKeyDerivations
        #expect(keys.count == 3)
        for (key, master) in zip(keys, account.masters) {
            #expect(key.origin.fingerprint == master.neutered.fingerprint)
            #expect(key.extendedPublicKey == (try master.descendant(key.origin.path).neutered))
        }
        // Without origin only a master key's own is known.
        let master = account.masters[0].neutered
        #expect(try Descriptor(parsing: "wpkh(\(master.text)/*)").extendedKeyDerivations.count == 1)
        let child = try master.child(ChildNumber(rawValue: 1))
        #expect(try Descriptor(parsing: "wpkh(\(child.text)/*)").extendedKeyDerivations.isEmpty)
    }
}
