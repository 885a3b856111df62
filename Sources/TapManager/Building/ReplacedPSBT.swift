import Bitcoin

/// What a PSBT shows about the transaction to replace.
struct ReplacedPSBT {
    /// What it spends, with the data for spending it.
    let coins: [Coin]
    /// The transactions that created its coins.
    let previousTransactions: [PreviousTransaction]
    private let psbt: PSBT

    /// - Throws: `.building` if a coin or its amount is unknown.
    init(_ psbt: PSBT) throws(CreationError) {
        self.psbt = psbt
        var coins: [Coin] = []
        for (index, input) in psbt.unsignedTransaction.inputs.enumerated() {
            let output: TransactionOutput
            do throws(PSBTError) { output = try psbt.spentOutput(ofInput: index) } catch {
                throw .building(.psbt(error))
            }
            guard let amount = output.amount else { throw .building(.amountsOverflow) }
            let fields = psbt.inputs[index]
            let spending = SpendingInformation(
                scriptPubKey: output.scriptPubKey, redeemScript: fields.redeemScript,
                witnessScript: fields.witnessScript, derivations: fields.derivations)
            let locks = try? psbt.locks(ofInput: index)
            coins.append(
                Coin(
                    outpoint: input.outpoint, amount: amount, spending: spending,
                    satisfactionWeight: locks.flatMap { spending.satisfactionWeight(with: $0) }))
        }
        self.coins = coins
        previousTransactions = psbt.inputs.compactMap(\.nonWitnessUTXO)
    }

    /// The same at another fee rate: all coins, with their preimages, and everything to its only output.
    /// - Throws: `.building`.
    func drain(
        feeRate: FeeRate, lockTime: UInt32, extendedKeys: [ExtendedKeyDerivation],
        using generator: inout some RandomNumberGenerator
    ) throws(CreationError) -> (draft: TransactionDraft, psbt: PSBT) {
        let transaction = psbt.unsignedTransaction
        guard transaction.outputs.count == 1 else { throw .changeUnknown }
        do throws(BuildingError) {
            var request = try TransactionRequest(
                replacing: transaction, spending: coins, remainderIndex: 0,
                remainder: .drain(Payment(to: spending(ofOutput: 0), amount: .zero)), rate: feeRate)
            request.lockTime = .fixed(lockTime)
            let draft = try TransactionDraft(request, using: &generator)
            var replacement = try draft.psbt(
                previousTransactions: previousTransactions, version: psbt.version, extendedKeys: extendedKeys)
            KnownPreimages.carry(from: psbt, to: &replacement)
            return (draft, replacement)
        } catch { throw .building(error) }
    }

    /// The data for signers about outputs that have derivations, by their scripts.
    var ownOutputs: [Script: SpendingInformation] {
        Dictionary(
            psbt.outputs.indices.filter { !psbt.outputs[$0].derivations.isEmpty }.map {
                (psbt.unsignedTransaction.outputs[$0].scriptPubKey, spending(ofOutput: $0))
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The data for signers about an output.
    func spending(ofOutput index: Int) -> SpendingInformation {
        let fields = psbt.outputs[index]
        return SpendingInformation(
            scriptPubKey: psbt.unsignedTransaction.outputs[index].scriptPubKey, redeemScript: fields.redeemScript,
            witnessScript: fields.witnessScript, derivations: fields.derivations)
    }
}
