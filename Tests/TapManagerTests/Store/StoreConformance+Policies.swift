import Bitcoin
import TestSupport
import Testing

@testable import TapManager

extension StoreConformance {
    /// Of a policy, a signature that brings no open spending path nearer is kept, but not counted; what the list says is always what
    /// the PSBT says.
    @Test(arguments: StoreKind.allCases) func onlyWhatBringsAPathNearerIsCounted(_ kind: StoreKind) throws {
        let holders = try (1...3).map { try SampleWallet(seed: $0) }
        let recovery = SamplePolicy("or_d(multi(2,#A,#B),and_v(v:pkh(#a),older(144)))", holders)
        try expect(
            [(0, "2/0", 2), (0, "0/0", 1), (1, "0/0", 0)], of: recovery, in: StoreBench(kind))
        let parts = SamplePolicy("and_v(v:pk(#A),multi(1,#B,#C))", holders)
        try expect([(1, "0/0", 1), (2, "0/0", 1), (0, "0/0", 0)], of: parts, in: StoreBench(kind))
    }

    /// - Parameter steps: who signs with which key, and how many signatures are missing then.
    private func expect(
        _ steps: [(holder: Int, path: String, missing: Int)], of policy: SamplePolicy, in bench: StoreBench
    ) throws {
        let psbt = try policy.psbt()
        let id = psbt.unsignedTransaction.id
        _ = try bench.store.merge(psbt, at: 1)
        for (number, path, missing) in steps {
            let holder = policy.holders[number]
            let key = try holder.master.descendant(try DerivationPath(parsing: "\(policy.account)/\(path)")).privateKey
            let signature = PartialSignature(key.signGrindingLowR(digest: Digest(hashing: [1])), by: key.publicKey)
            try bench.store.add(
                StoredSignature(inputIndex: 0, signature: signature, signer: holder.fingerprint), to: id, at: 2)
            let listed = try #require(try bench.store.transactions(limit: 1, offset: 0).first)
            #expect(listed.missing == missing, "\(policy.expression) \(path)")
            let stored = try #require(try bench.store.transaction(id))
            #expect(SignatureTally(stored.psbt).missing == missing)
            #expect(stored.psbt.inputs[0].partialSignatures.contains { $0.publicKey == key.publicKey.bytes })
        }
    }
}
