import Bitcoin
import TapManager

/// Properties of every plan.
struct PlanCheck {
    let plan: SigningPlan
    let policy: SigningPolicy

    private var psbt: PSBT { plan.psbt }
    private var transaction: Transaction { plan.psbt.unsignedTransaction }

    func run() {
        Self.expectWhole(plan.review, of: psbt)
        for stage in plan.stages {
            expect(!stage.items.isEmpty, "no path is changed without need")
            for item in stage.items { check(item, account: stage.account) }
        }
        expectSame(Set(plan.stages.map(\.account)).count, plan.stages.count, "each path is used once")
        let places = plan.stages.flatMap(\.items).map { Place(input: $0.inputIndex, key: $0.publicKey.bytes) }
        expectSame(Set(places).count, places.count, "nothing is signed twice")
        checkChange()
        for (index, input) in plan.review.inputs.enumerated() where !input.isProven {
            expect(!policy.requiresProvenAmounts, "strict signing has no unproven amount")
            expect(has(.amountNotProven, input: index), "an unproven amount is warned of")
        }
        for finding in plan.findings { expect(finding.severity < .refusal, "a plan has no refusal") }
    }

    private struct Place: Hashable {
        let input: Int
        let key: [UInt8]
    }

    // MARK: What is shown

    /// Checks that a review shows every input and output, with the true amounts.
    static func expectWhole(_ review: TransactionReview, of psbt: PSBT) {
        let transaction = psbt.unsignedTransaction
        expectSame(
            review.outputs.map { TransactionOutput(value: $0.amount.satoshis, scriptPubKey: $0.scriptPubKey) },
            transaction.outputs, "every output is shown as it is")
        for output in review.outputs {
            guard let address = output.address else { continue }
            expectSame(address.scriptPubKey, output.scriptPubKey, "an output's address is its script's")
        }
        expectSame(review.inputs.map(\.outpoint), transaction.inputs.map(\.outpoint), "every input is shown")
        for (index, input) in review.inputs.enumerated() {
            let coin = required(NaiveSpend.coin(psbt, input: index), "the amount of an input is known")
            expectSame(input.amount.satoshis, coin.value, "an input's amount is its coin's")
            expectSame(
                input.address?.scriptPubKey ?? coin.scriptPubKey, coin.scriptPubKey, "an input's address is its coin's")
            expectSame(input.isProven, psbt.inputs[index].nonWitnessUTXO != nil, "the previous transaction proves")
        }
        let spent = review.inputs.reduce(0) { $0 + $1.amount.satoshis }
        let paid = review.outputs.reduce(0) { $0 + $1.amount.satoshis }
        expectSame(review.fee.fee.satoshis, spent - paid, "the fee is what nobody is paid")
        let foreign = review.outputs.filter { !$0.isProvenChange }.reduce(0) { $0 + $1.amount.satoshis }
        let hasForeign = review.outputs.contains { !$0.isProvenChange }
        expectSame(review.fee.sent.satoshis, hasForeign ? foreign : paid, "what does not come back is sent")
        expectSame(review.unsignedTransactionID, transaction.id, "the transaction is the PSBT's")
    }

    /// Change must go to a script that contains the card's key.
    private func checkChange() {
        for (index, output) in plan.review.outputs.enumerated() {
            guard let path = output.changePath else {
                expect(!output.isProvenChange, "proven change has a path")
                continue
            }
            let fields = psbt.outputs[index]
            let script = required("change has a known script") {
                try SpendingScript(
                    scriptPubKey: output.scriptPubKey, redeemScript: fields.redeemScript,
                    witnessScript: fields.witnessScript)
            }
            let key = PlanWallet.publicKey(0, path)
            expect(script.names(publicKey: key.bytes), "change names the card's key at its path")
            guard output.isProvenChange else { continue }
            let isSpentFrom = plan.review.inputs.contains { input in
                input.path.map { path.steps.starts(with: $0.steps.prefix { $0.isHardened }) } ?? false
            }
            expect(isSpentFrom, "proven change goes to an account that the transaction spends from")
        }
    }

    // MARK: What is signed

    private func check(_ item: SigningPlan.Item, account: DerivationPath) {
        let index = item.inputIndex
        let spend = required(NaiveSpend(psbt, input: index), "what is signed is known")
        expect(spend.code.witnessProgram == nil, "only ECDSA is signed")
        expectSame(
            item.digest, spend.digest(transaction, input: index, type: item.sighashType.rawValue),
            "what is signed is what is shown")
        let path = account.appending(item.subpath)
        expectSame(item.publicKey, PlanWallet.publicKey(0, path), "the key that signs is the card's")
        expect(spend.names(item.publicKey), "the script that is spent names the key that signs")
        expect(plan.review.inputs[index].path != nil, "an input that is signed is shown as the card's")
        expect(account.steps.allSatisfy(\.isHardened), "the card stores hardened steps")
        expect(item.subpath.steps.allSatisfy { !$0.isHardened }, "a signature adds unhardened steps")
        if item.sighashType != .all {
            expect(policy.allowsOtherSighashes, "other hash types are signed only when they are allowed")
            expect(has(.sighashNotAll, input: index), "another hash type is warned of")
            expectSame(item.sighashType, psbt.inputs[index].sighashType, "the hash type is the PSBT's")
        }
    }

    private func has(_ code: FindingCode, input index: Int) -> Bool {
        plan.findings.contains { finding in
            guard case .input(index, _) = finding.subject else { return false }
            return finding.code == code
        }
    }

    /// The PSBT with every signature that the plan asks for, each checked to be valid.
    static func signed(_ plan: SigningPlan) -> PSBT {
        var psbt = plan.psbt
        let digests = SighashCache(psbt.unsignedTransaction)
        for stage in plan.stages {
            for item in stage.items {
                let key = PlanWallet.key(0, stage.account.appending(item.subpath)).privateKey
                let signature = key.sign(digest: item.digest)
                let encoded =
                    signature.der + [required(item.sighashType.byte, "a hash type that is signed has one byte")]
                expect(
                    psbt.isValidPartialSignature(
                        PartialSignature(publicKey: item.publicKey.bytes, signature: encoded), ofInput: item.inputIndex,
                        using: digests),
                    "what a plan asks for is a valid signature")
                psbt.addPartialSignature(
                    PartialSignature(publicKey: item.publicKey.bytes, signature: encoded), toInput: item.inputIndex)
            }
        }
        return psbt
    }
}
