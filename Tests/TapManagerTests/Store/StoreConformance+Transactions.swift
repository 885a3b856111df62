import Bitcoin
import TestSupport
import Testing

@testable import TapManager

extension StoreConformance {
    @Test(arguments: StoreKind.allCases) func aTransactionComesBackAsItWas(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let psbt = try StoreSample.psbt(inputs: 3)
        let id = psbt.unsignedTransaction.id
        #expect(try bench.store.transaction(id) == nil)
        #expect(try bench.store.transactionCount() == 0)
        let (stored, isNew) = try bench.store.merge(psbt, network: .testnet4, wallet: "w", note: "Öl\n🛢", at: 5)
        #expect(isNew)
        let read = try #require(try bench.store.transaction(id))
        for transaction in [stored, read] {
            #expect(transaction.psbt.serialized() == psbt.serialized())
            #expect(transaction.id == id)
            #expect(transaction.network == .testnet4)
            #expect(transaction.wallet == "w")
            #expect(transaction.note == "Öl\n🛢")
            #expect(transaction.created == 5)
            #expect(transaction.updated == 5)
        }
        let summary = try #require(try bench.store.transactions(limit: 1, offset: 0).first)
        #expect(summary == read.summary)
        #expect(summary.amount == Amount(satoshis: 299_000))
        #expect(summary.fee == Amount(satoshis: 1_000))
        #expect(summary.missing == 3)
        #expect(summary.state == .unsigned)
        #expect(try bench.store.transactionCount() == 1)
    }

    /// What the PSBT does not tell is not known to the list either.
    @Test(arguments: StoreKind.allCases) func amountsAndScriptsThatAreUnknownStayUnknown(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let bare = try PSBT(unsignedTransaction: StoreSample.psbt().unsignedTransaction)
        _ = try bench.store.merge(bare, at: 1)
        let summary = try #require(try bench.store.transactions(limit: 1, offset: 0).first)
        #expect(summary == (try bench.store.transaction(bare.unsignedTransaction.id)?.summary))
        #expect(summary.fee == nil)
        #expect(summary.network == nil)
        #expect(summary.missing == 0)
        #expect(!summary.isComplete)
        #expect(summary.state == .unsigned)
    }

    @Test(arguments: StoreKind.allCases) func theSameTransactionIsCombined(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let (psbt, cosigners) = try StoreSample.multisig()
        let id = psbt.unsignedTransaction.id
        let signatures = try cosigners.map { try StoreSample.signature(psbt, input: 0, by: $0) }
        _ = try bench.store.merge(psbt.adding(signatures[0]), wallet: "w", note: "n", at: 1)
        let (merged, isNew) = try bench.store.merge(psbt.adding(signatures[2]), network: .test, at: 4)
        #expect(!isNew)
        let expected = psbt.adding(signatures[0]).adding(signatures[2])
        #expect(merged.psbt.serialized() == expected.serialized())
        let read = try #require(try bench.store.transaction(id))
        #expect(read.psbt.serialized() == expected.serialized())
        #expect(read.created == 1)
        #expect(read.updated == 4)
        #expect(read.wallet == "w")
        #expect(read.note == "n")
        #expect(read.network == .test)
        #expect(try bench.store.transactionCount() == 1)
        #expect(try bench.store.transactions(limit: 9, offset: 0) == [read.summary])
        #expect(read.summary.state == .complete)
    }

    @Test(arguments: StoreKind.allCases) func aContradictionChangesNothing(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let psbt = try StoreSample.psbt()
        let id = psbt.unsignedTransaction.id
        var liar = psbt
        liar[input: 0].witnessUTXO = TransactionOutput(value: 99, scriptPubKey: Script([0x51]))
        _ = try bench.store.merge(psbt, at: 1)
        let error = #expect(throws: StoreError.self) { try bench.store.merge(liar, note: "x", at: 2) }
        guard case .contradiction(id, .conflict) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let read = try #require(try bench.store.transaction(id))
        #expect(read.psbt.serialized() == psbt.serialized())
        #expect(read.note == "")
        #expect(read.updated == 1)
    }

    /// What is signed now stays in what it says of keys; signatures stay in any case, and a lie about a coin does not.
    @Test(arguments: StoreKind.allCases) func whatIsSignedKeepsTheSignatures(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let (psbt, cosigners) = try StoreSample.multisig()
        let id = psbt.unsignedTransaction.id
        let derivations = psbt.inputs[0].derivations
        let own = try #require(derivations.first { $0.fingerprint == cosigners[0].fingerprint })
        let key = try cosigners[0].master.descendant(own.path).privateKey
        let digest = try psbt.spending(ofInput: 0).digest(.all, using: SighashCache(psbt.unsignedTransaction))
        let signature = StoredSignature(
            inputIndex: 0, signature: PartialSignature(key.signGrindingLowR(digest: digest), by: key.publicKey),
            signer: own.fingerprint)
        _ = try bench.store.merge(psbt.adding(signature), at: 1)
        var otherPaths = psbt
        let nobody = try #require(Fingerprint([0, 0, 0, 0]))
        for known in derivations {
            otherPaths[input: 0].addDerivation(
                KeyDerivation(publicKey: known.publicKey, fingerprint: nobody, path: known.path))
        }
        try bench.store.check(otherPaths)
        try bench.store.keep(otherPaths, at: 2)
        let kept = try #require(try bench.store.transaction(id))
        // But what was said of the key that signed stays.
        var expected = otherPaths
        expected[input: 0].addDerivation(own)
        #expect(kept.psbt.isSame(as: expected.adding(signature)))

        var liar = psbt
        let coin = try psbt.spentOutput(ofInput: 0)
        liar[input: 0].nonWitnessUTXO = nil
        liar[input: 0].witnessUTXO = TransactionOutput(value: coin.value - 500, scriptPubKey: coin.scriptPubKey)
        for refused in [{ try bench.store.check(liar) }, { _ = try bench.store.keep(liar, at: 3) }] {
            let error = #expect(throws: StoreError.self) { try refused() }
            guard case .contradiction(id, _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(try bench.store.transaction(id)?.psbt.isSame(as: kept.psbt) == true)
    }

    @Test(arguments: StoreKind.allCases) func anUpdateThatFailsOrGoesAstrayChangesNothing(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let psbt = try StoreSample.psbt()
        let other = try StoreSample.psbt(payment: 1_000)
        let (id, otherID) = (psbt.unsignedTransaction.id, other.unsignedTransaction.id)
        _ = try bench.store.merge(psbt, note: "before", at: 1)
        #expect(throws: StoreError.noSuchTransaction(otherID)) {
            try bench.store.updateTransaction(id) { _ throws(StoreError) in throw .noSuchTransaction(otherID) }
        }
        #expect(throws: StoreError.contradiction(id, .otherTransaction(otherID))) {
            try bench.store.updateTransaction(id) { _ throws(StoreError) in
                StoredTransaction(psbt: other, created: 2, updated: 2)
            }
        }
        #expect(try bench.store.transactionCount() == 1)
        #expect(try bench.store.transaction(id)?.note == "before")
    }

    @Test(arguments: StoreKind.allCases) func anUpdateReplacesWhatWasThere(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let psbt = try StoreSample.psbt()
        let id = psbt.unsignedTransaction.id
        _ = try bench.store.merge(psbt, network: .test, wallet: "w", note: "n", at: 1)
        let changed = try bench.store.updateTransaction(id) { stored throws(StoreError) in
            StoredTransaction(psbt: stored?.psbt ?? psbt, created: stored?.created ?? 9, updated: 3)
        }
        #expect(changed.updated == 3)
        let read = try #require(try bench.store.transaction(id))
        #expect(read.network == nil)
        #expect(read.wallet == nil)
        #expect(read.note == "")
        #expect(read.created == 1)
        #expect(read.updated == 3)
    }

    @Test(arguments: StoreKind.allCases) func theNewestComeFirst(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let times: [Int64] = [5, 9, 5, 1, 9]
        var ids: [TransactionID] = []
        for (number, time) in times.enumerated() {
            let psbt = try StoreSample.psbt(payment: Int64(number + 1) * 1_000)
            ids.append(psbt.unsignedTransaction.id)
            _ = try bench.store.merge(psbt, at: UnixTime(seconds: time))
        }
        func list(_ limit: Int, _ offset: Int) throws -> [TransactionID] {
            try bench.store.transactions(limit: limit, offset: offset).map(\.id)
        }
        // Of those of the same second, the one that was stored last.
        let expected = [ids[4], ids[1], ids[2], ids[0], ids[3]]
        #expect(try list(10, 0) == expected)
        #expect(try list(2, 0) == Array(expected[..<2]))
        #expect(try list(2, 2) == Array(expected[2..<4]))
        #expect(try list(10, 4) == Array(expected[4...]))
        #expect(try list(10, 5) == [])
        #expect(try list(0, 0) == [])
        #expect(try list(-1, 0) == [])
        #expect(try list(1, -1) == Array(expected[..<1]))
        // What is changed keeps its place; what is deleted and stored again is new.
        _ = try bench.store.merge(StoreSample.psbt(payment: 1_000), note: "changed", at: 20)
        #expect(try list(10, 0) == expected)
        #expect(try bench.store.deleteTransaction(ids[1]))
        _ = try bench.store.merge(StoreSample.psbt(payment: 2_000), at: 9)
        #expect(try list(10, 0) == [ids[1], ids[4], ids[2], ids[0], ids[3]])
    }

    @Test(arguments: StoreKind.allCases) func aTransactionIsFoundByItsBeginning(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        var ids: [TransactionID] = []
        for number in 1...40 {
            let psbt = try StoreSample.psbt(payment: Int64(number) * 1_000)
            ids.append(psbt.unsignedTransaction.id)
            _ = try bench.store.merge(psbt, at: 1)
        }
        for id in ids {
            for length in [1, 2, 3, 4, 7, 63, 64] {
                let prefix = String(id.description.prefix(length))
                let matches = Set(ids.filter { $0.description.hasPrefix(prefix) })
                for prefix in [prefix, prefix.uppercased()] {
                    let found = try bench.store.transactionIDs(startingWith: prefix)
                    #expect(found.count == min(2, matches.count))
                    #expect(Set(found).count == found.count)
                    #expect(matches.isSuperset(of: found))
                }
            }
        }
        #expect(try bench.store.transactionIDs(startingWith: "").count == 2)
        for nonsense in ["g", "0x", " ", "é", "%", ids[0].description + "0"] {
            #expect(try bench.store.transactionIDs(startingWith: nonsense) == [])
        }
    }

    @Test(arguments: StoreKind.allCases) func aDeletedTransactionIsGone(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let psbt = try StoreSample.psbt()
        let id = psbt.unsignedTransaction.id
        #expect(try !bench.store.deleteTransaction(id))
        _ = try bench.store.merge(psbt, at: 1)
        let signature = try StoreSample.signature(psbt, input: 0, by: SampleWallet(seed: 1))
        try bench.store.add(signature, to: id, at: 2)
        #expect(try bench.store.deleteTransaction(id))
        #expect(try bench.store.transaction(id) == nil)
        #expect(try bench.store.transactionCount() == 0)
        #expect(try bench.store.transactionIDs(startingWith: id.description) == [])
        _ = try bench.store.merge(psbt, at: 3)
        #expect(try bench.store.transaction(id)?.psbt.serialized() == psbt.serialized())
    }
}

extension StoreConformance {
    @Test(arguments: StoreKind.allCases) func signaturesAreAddedOneByOne(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let (psbt, cosigners) = try StoreSample.multisig(inputs: 2)
        let id = psbt.unsignedTransaction.id
        _ = try bench.store.merge(psbt, at: 1)
        var expected = psbt
        // Inputs and signers, with a third signer whom no one needs, and one who signs twice.
        let steps = [(1, 0), (0, 2), (0, 2), (0, 1), (0, 0), (1, 2)]
        let missing = [3, 2, 2, 1, 1, 0]
        for (number, (input, cosigner)) in steps.enumerated() {
            let signature = try StoreSample.signature(
                psbt, input: input, by: cosigners[cosigner], salt: UInt8(number + 1))
            try bench.store.add(signature, to: id, at: UnixTime(seconds: Int64(10 + number)))
            expected = expected.adding(signature)
            let read = try #require(try bench.store.transaction(id))
            #expect(read.psbt.isSame(as: expected))
            #expect(read.updated == UnixTime(seconds: Int64(10 + number)))
            #expect(read.summary.missing == missing[number])
            #expect(try bench.store.transactions(limit: 9, offset: 0) == [read.summary])
        }
        let summary = try bench.store.transactions(limit: 1, offset: 0)[0]
        #expect(summary.state == .complete)
        #expect(Set(summary.signedBy) == Set(cosigners.map(\.fingerprint)))
    }

    /// What was added stays through an update, and what the update takes away is gone.
    @Test(arguments: StoreKind.allCases) func anUpdateSeesWhatWasAdded(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let (psbt, cosigners) = try StoreSample.multisig(inputs: 2)
        let id = psbt.unsignedTransaction.id
        let signatures = try cosigners.map { try StoreSample.signature(psbt, input: 1, by: $0) }
        _ = try bench.store.merge(psbt.adding(signatures[1]), at: 1)
        try bench.store.add(signatures[0], to: id, at: 2)
        let (merged, _) = try bench.store.merge(psbt, note: "n", at: 3)
        let both = psbt.adding(signatures[1]).adding(signatures[0])
        #expect(merged.psbt.isSame(as: both))
        #expect(try bench.store.transaction(id)?.psbt.isSame(as: both) == true)
        #expect(try bench.store.transactions(limit: 1, offset: 0)[0].missing == 2)
        // The key has signed before: nothing less is missing.
        try bench.store.add(signatures[0], to: id, at: 4)
        #expect(try bench.store.transactions(limit: 1, offset: 0)[0].missing == 2)
        _ = try bench.store.updateTransaction(id) { stored throws(StoreError) in
            StoredTransaction(psbt: psbt, created: 1, updated: 5)
        }
        #expect(try bench.store.transaction(id)?.psbt.serialized() == psbt.serialized())
        #expect(try bench.store.transactions(limit: 1, offset: 0)[0].state == .unsigned)
    }

    /// What cards signed for this store stays known when the PSBT is written with it. What comes with a PSBT is not
    /// that.
    @Test(arguments: StoreKind.allCases) func whatWasSignedHereStaysKnown(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let (psbt, cosigners) = try StoreSample.multisig(inputs: 2)
        let id = psbt.unsignedTransaction.id
        let signatures = try cosigners.map { try StoreSample.signature(psbt, input: 1, by: $0) }
        #expect(try bench.store.signaturesMadeHere(for: id).isEmpty)
        _ = try bench.store.merge(psbt.adding(signatures[1]), at: 1)
        #expect(try bench.store.signaturesMadeHere(for: id).isEmpty)
        try bench.store.add(signatures[0], to: id, at: 2)
        for time in 3...4 {
            #expect(try bench.store.signaturesMadeHere(for: id) == [1: [signatures[0].signature]])
            _ = try bench.store.merge(psbt, note: "n", at: UnixTime(seconds: Int64(time)))
        }
        #expect(try bench.store.transactions(limit: 1, offset: 0)[0].missing == 2)
        _ = try bench.store.updateTransaction(id) { _ throws(StoreError) in
            StoredTransaction(psbt: psbt, created: 1, updated: 5)
        }
        #expect(try bench.store.signaturesMadeHere(for: id).isEmpty)
        _ = try bench.store.merge(psbt.adding(signatures[0]), at: 6)
        #expect(try bench.store.signaturesMadeHere(for: id).isEmpty)
        try bench.store.add(signatures[0], to: id, at: 7)
        #expect(try bench.store.deleteTransaction(id))
        _ = try bench.store.merge(psbt.adding(signatures[0]), at: 8)
        #expect(try bench.store.signaturesMadeHere(for: id).isEmpty)
    }

    @Test(arguments: StoreKind.allCases) func aSignatureNeedsItsTransaction(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let psbt = try StoreSample.psbt()
        let id = psbt.unsignedTransaction.id
        let signature = try StoreSample.signature(psbt, input: 0, by: SampleWallet(seed: 1))
        #expect(throws: StoreError.noSuchTransaction(id)) { try bench.store.add(signature, to: id, at: 1) }
        _ = try bench.store.merge(psbt, at: 1)
        for input in [1, -1, Int.max] {
            let stray = StoredSignature(
                inputIndex: input, signature: signature.signature, signer: signature.signer)
            #expect(throws: StoreError.noSuchTransaction(id)) { try bench.store.add(stray, to: id, at: 2) }
        }
        #expect(try bench.store.transaction(id)?.psbt.serialized() == psbt.serialized())
        #expect(try bench.store.transaction(id)?.updated == 1)
    }

    /// Random signatures in random order: list and PSBT say the same at every moment, in every kind of store.
    @Test func listsAndTransactionsAgree() throws {
        var random = SeededGenerator()
        let benches = try StoreKind.allCases.map { try StoreBench($0) }
        let (psbt, cosigners) = try StoreSample.multisig(inputs: 4)
        let id = psbt.unsignedTransaction.id
        for bench in benches { _ = try bench.store.merge(psbt, at: 0) }
        for step in 1...60 {
            let signature = try StoreSample.signature(
                psbt, input: .random(in: 0..<4, using: &random), by: cosigners[.random(in: 0..<3, using: &random)],
                salt: UInt8(step))
            let isMerged = Int.random(in: 0..<4, using: &random) == 0
            let isReset = Int.random(in: 0..<12, using: &random) == 0
            let time = UnixTime(seconds: Int64(step))
            for bench in benches {
                if isReset { #expect(try bench.store.deleteTransaction(id)) }
                if isMerged || isReset {
                    _ = try bench.store.merge(psbt.adding(signature), at: time)
                } else {
                    try bench.store.add(signature, to: id, at: time)
                }
            }
            let transactions = try benches.map { try #require(try $0.store.transaction(id)) }
            let lists = try benches.map { try $0.store.transactions(limit: 9, offset: 0) }
            for (transaction, list) in zip(transactions, lists) {
                #expect(transaction.psbt.isSame(as: transactions[0].psbt))
                #expect(list == [transactions[0].summary])
            }
        }
    }
}

extension PSBT {
    /// This PSBT with one more signature.
    func adding(_ signature: StoredSignature) -> PSBT {
        var psbt = self
        psbt.addPartialSignature(signature.signature, toInput: signature.inputIndex)
        return psbt
    }

    /// Whether both hold the same records, in whichever order signatures came.
    func isSame(as other: PSBT) -> Bool {
        func records(_ psbt: PSBT) -> [[[UInt8]]] {
            psbt.inputs.map { input in
                input.partialSignatures.map { $0.publicKey + $0.signature }.sorted { $0.lexicographicallyPrecedes($1) }
            }
        }
        return unsignedTransaction == other.unsignedTransaction && records(self) == records(other)
            && serialized().count == other.serialized().count
    }
}
