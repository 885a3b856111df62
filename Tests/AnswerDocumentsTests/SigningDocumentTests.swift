import Bitcoin
import TapManager
import TestSupport
import Testing

@testable import AnswerDocuments

/// The JSON of a signing: what is only claimed is not called proven.
@Suite struct SigningDocumentTests {
    @Test(arguments: [true, false], [true, false])
    func whatIsClaimedIsNotProven(isAmountProven: Bool, isChangeProven: Bool) throws {
        let wallet = try SampleWallet(seed: 1)
        let account = try wallet.accountPath(.p2wpkh)
        // The card's key stands at both places; no input uses the other account.
        let changePath = try DerivationPath(parsing: isChangeProven ? "m/84h/1h/0h/1/0" : "m/84h/1h/7h/1/0")
        let psbt = try psbt(of: wallet, changePath: changePath, hasPreviousTransactions: isAmountProven)
        let planner = SigningPlanner(psbt: psbt, network: .test)
        var keys = SignerKeys(masterFingerprint: wallet.fingerprint)
        for path in try planner.accounts(of: wallet.fingerprint) { keys.add(try wallet.extendedKey(path), at: path) }
        let plan = try planner.plan(keys: keys, present: account, final: account)

        let document = SigningDocument(
            SigningOutcome(report: SigningReport(result: SigningResult(psbt, added: 0), plan: plan)), file: nil)
        let json = try document.fields()
        let inputs = try #require(json["inputs"] as? [[String: Any]])
        let outputs = try #require(json["outputs"] as? [[String: Any]])
        #expect(inputs.map { $0["mine"] as? Bool } == [true])
        #expect(inputs.map { $0["amount_proven"] as? Bool } == [isAmountProven])
        #expect(outputs.map { $0["change"] as? Bool } == [false, true])
        #expect(outputs.map { $0["change_proven"] as? Bool } == [false, isChangeProven])
        #expect(outputs.map { $0["path"] as? String } == [nil, "\(changePath)"])
        #expect(json["evidence"] as? String == "keys" && outputs.allSatisfy { $0["claimed_path"] == nil })
        // What could be lost is said in figures.
        let findings = try #require(json["findings"] as? [[String: Any]])
        let stakes = findings.filter { $0["code"] as? String == "change_not_proven" }.map { $0["stake_sat"] as? Int }
        #expect(stakes == (isChangeProven ? [] : [49_000]))
    }

    /// One of the wallet's PSBTs with the change at a path.
    private func psbt(
        of wallet: SampleWallet, changePath: DerivationPath, hasPreviousTransactions: Bool
    ) throws -> PSBT {
        var recipe = SampleWallet.Recipe()
        recipe.hasPreviousTransactions = hasPreviousTransactions
        let sample = try wallet.psbt(recipe)
        var transaction = sample.unsignedTransaction
        transaction.outputs[1].scriptPubKey = .p2wpkh(try wallet.publicKey(changePath))
        var psbt = try PSBT(unsignedTransaction: transaction)
        psbt[input: 0] = sample.inputs[0]
        psbt[output: 1].addDerivation(try wallet.derivation(changePath))
        return psbt
    }
}
