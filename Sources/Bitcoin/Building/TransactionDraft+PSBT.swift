extension TransactionDraft {
    /// The PSBT with everything that a signer needs: whole previous transactions, also the spent outputs where there are
    /// witnesses, scripts, and key origins.
    ///
    /// Verifies that each previous transaction hashes to its coin's id and has the coin's output, with the amount and
    /// script that the coin was chosen for.
    /// - Parameters:
    ///   - previousTransactions: for the chosen coins, in any order; others are ignored.
    ///   - version: of the PSBT.
    ///   - extendedKeys: of the cosigners' accounts: see `Descriptor.extendedKeyDerivations`.
    /// - Throws: `.previousTransactionMissing`, `.noSuchOutput`, `.coinDiffers`; `.psbt` for a transaction beyond the limits.
    ///
    /// Spec: BIP-174, "Creator", "Updater"; BIP-370; BIP-371.
    public func psbt(
        previousTransactions: some Sequence<PreviousTransaction>, version: PSBT.Version = .v0,
        extendedKeys: [ExtendedKeyDerivation] = []
    ) throws(BuildingError) -> PSBT {
        // Each computes its id from its own bytes.
        let known = Dictionary(previousTransactions.lazy.map { ($0.txid, $0) }) { first, _ in first }
        var described: [PSBT.Input] = []
        for coin in coins {
            guard let previous = known[coin.outpoint.transactionID] else {
                throw .previousTransactionMissing(coin.outpoint)
            }
            guard let output = previous.output(at: coin.outpoint.index) else { throw .noSuchOutput(coin.outpoint) }
            guard output == coin.output else { throw .coinDiffers(coin.outpoint) }
            var input = PSBT.Input()
            input.describe(coin, from: previous)
            described.append(input)
        }
        do throws(PSBTError) {
            var psbt = try PSBT(unsignedTransaction: unsignedTransaction)
            psbt.inputs = described
            for (index, payment) in zip(psbt.outputs.indices, payments) {
                if let spending = payment.spending { psbt.outputs[index].describe(spending) }
            }
            for key in extendedKeys { psbt.addGlobalExtendedKey(key) }
            return try psbt.converted(to: version)
        } catch { throw .psbt(error) }
    }
}

extension PSBT.Input {
    fileprivate mutating func describe(_ coin: Coin, from previous: PreviousTransaction) {
        let spending = coin.spending
        nonWitnessUTXO = previous
        if spending.hasWitness == true { witnessUTXO = coin.output }
        redeemScript = spending.redeemScript
        witnessScript = spending.witnessScript
        for derivation in spending.derivations { addDerivation(derivation) }
        guard let taproot = spending.taproot else { return }
        taprootInternalKey = taproot.internalKey
        taprootMerkleRoot = taproot.merkleRoot
        for leaf in taproot.leaves { addTaprootLeafScript(leaf) }
        for derivation in taproot.derivations { addTaprootDerivation(derivation) }
    }
}

extension PSBT.Output {
    fileprivate mutating func describe(_ spending: SpendingInformation) {
        redeemScript = spending.redeemScript
        witnessScript = spending.witnessScript
        for derivation in spending.derivations { addDerivation(derivation) }
        guard let taproot = spending.taproot else { return }
        taprootInternalKey = taproot.internalKey
        if !taproot.tree.isEmpty { taprootTree = taproot.tree }
        for derivation in taproot.derivations { addTaprootDerivation(derivation) }
    }
}
