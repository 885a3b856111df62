import Bitcoin
import ByteCodec
import Foundation
import TestSupport
import Testing

/// PSBTs that are built here, before embit, wallycore, BDK, HWI and btclib; signed with keys in memory, the transactions
/// before the script engines of btclib and python-bitcointx, and a real node.
@Suite struct IndependentBuildingTests {
    private struct Built {
        let draft: TransactionDraft
        let psbt: PSBT

        /// - Parameter tip: the height of the last block, for the lock time.
        init(
            _ account: SampleAccount, _ version: PSBT.Version, tip: UInt32 = 850_000,
            using generator: inout SeededGenerator
        ) throws {
            let (coins, previous) = try account.coins([80_000, 120_000, 60_000])
            let payment = Payment(to: RandomCoins.script(7), amount: try #require(Amount(satoshis: 150_000)))
            var request = TransactionRequest(
                coins: coins, payments: [payment], remainder: .change(try account.change()),
                feeDemand: .rate(try FeeRate(parsing: "3.5")))
            request.requiredCoins = Set(coins.map(\.outpoint))
            request.lockTime = .discouragingFeeSniping(tip: tip)
            draft = try TransactionDraft(request, using: &generator)
            psbt = try draft.psbt(
                previousTransactions: previous, version: version,
                extendedKeys: account.kind.isMultisig ? account.descriptor.extendedKeyDerivations : [])
        }
    }

    private func base64(_ psbt: PSBT) -> String { String(decoding: psbt.encoded(as: .base64), as: UTF8.self) }

    @Test(arguments: SampleAccount.Kind.allCases, [PSBT.Version.v0, .v2])
    func everyoneReadsWhatIsBuilt(_ kind: SampleAccount.Kind, _ version: PSBT.Version) async throws {
        var generator = SeededGenerator()
        let built = try Built(SampleAccount(kind), version, using: &generator)
        let verdicts = try await PythonEnvironment.shared().run(
            "read_psbt.py",
            [
                "psbt": base64(built.psbt),
                "tx": Hex.encode(built.draft.unsignedTransaction.serialized(.withoutWitnesses)),
            ])
        #expect(Set(verdicts.keys) == ["embit", "wallycore", "bdkpython", "hwi", "btclib"])
        for (library, verdict) in verdicts {
            let verdict = try #require(verdict as? [String: Any])
            let comment = Comment(rawValue: library)
            #expect(verdict["same_transaction"] as? Bool == true, comment)
            if let fee = verdict["fee_sat"] as? Int { #expect(fee == built.draft.fee.satoshis, comment) }
            if let count = verdict["extended_keys"] as? Int { #expect(count == (kind.isMultisig ? 3 : 0), comment) }
            let keys = kind == .p2trTree || kind.isMultisig ? 3 : 1
            let seen = kind.isTaproot && library == "wallycore" ? 0 : keys
            #expect(verdict["inputs"] as? [Int] == [seen, seen, seen], comment)
            if library == "btclib" {
                // It reckons with signatures that are a byte longer, but for Schnorr's. The 252 bytes that open the
                // multisig in P2SH then need two more for their length.
                var longer = kind.isTaproot ? 0 : 3 * (kind.isMultisig ? 2 : 1) * (kind.isLegacy ? 4 : 1)
                if kind == .p2shMulti { longer += 3 * 8 }
                let expected = kind == .p2trTree ? nil : built.draft.selection.weight + longer
                #expect(verdict["weight"] as? Int == expected)
            }
            let outputs = built.draft.payments.map { $0.spending == nil ? 0 : seen }
            #expect(verdict["outputs"] as? [Int] == outputs, comment)
        }
    }

    @Test(arguments: SampleAccount.Kind.allCases.filter { !$0.isTaproot }, [PSBT.Version.v0, .v2])
    func signedTransactionsAreValid(_ kind: SampleAccount.Kind, _ version: PSBT.Version) async throws {
        var generator = SeededGenerator()
        let account = try SampleAccount(kind)
        // A height that tests' nodes have.
        let built = try Built(account, version, tip: 100, using: &generator)
        var signed = built.psbt
        _ = try account.sign(&signed)
        let environment = try PythonEnvironment.shared()
        let verdicts = try await environment.run(
            "check_psbt.py", ["unsigned": base64(built.psbt), "signed": base64(signed)])
        try signed.finalizeInputs()
        let transaction = try signed.extractedTransaction()
        let hex = Hex.encode(transaction.serialized())
        for (library, verdict) in verdicts {
            let verdict = try #require(verdict as? [String: Any])
            let count = kind.isMultisig ? 2 : 1
            #expect(verdict["same_transaction"] as? Bool == true, "\(library)")
            #expect(verdict["signatures"] as? [Int] == [count, count, count], "\(library)")
            // embit finalizes no multisig in P2SH.
            if library != "embit" || kind != .p2shMulti { #expect(verdict["tx"] as? String == hex, "\(library)") }
        }
        let judgement = try await environment.run(
            "verify_tx.py",
            [
                "tx": hex,
                "spent": built.draft.coins.map {
                    ["amount_sat": $0.amount.satoshis, "script": Hex.encode($0.spending.scriptPubKey.bytes)]
                        as [String: Any]
                },
            ])
        for judge in ["bitcointx", "btclib", "kernel"] {
            #expect(judgement[judge] as? Bool == true, "\(judge): \(judgement)")
        }
        try await NodeJury.expectTaken([transaction], "\(kind)")
        // Signatures that happen to be short make the transaction smaller, never larger.
        let rate = try FeeRate(parsing: "3.5")
        let asked = try #require(rate.fee(forVirtualSize: transaction.virtualSize))
        #expect(built.draft.fee >= asked)
        #expect(built.draft.virtualSize - transaction.virtualSize <= (kind == .p2shMulti ? 6 : 3))
    }
}
