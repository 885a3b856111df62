extension FindingCode {
    /// What the finding means, in one sentence.
    package var meaning: String {
        switch self {
        case .previousTransactionMismatch: "The previous transaction in the PSBT is another than the one that is spent."
        case .previousOutputMissing: "The previous transaction does not have the output that is spent."
        case .previousTransactionMissing:
            "The input is no witness input, and the previous transaction that would prove its amount is missing."
        case .spentOutputUnknown: "The PSBT does not say what is spent."
        case .spentOutputsDisagree: "The PSBT says two different things about what is spent."
        case .redeemScriptMismatch: "The redeem script is not the one that the spent output names."
        case .redeemScriptMissing: "The redeem script of one of the card's inputs is missing."
        case .witnessScriptMismatch: "The witness script is not the one that the spent output names."
        case .witnessScriptMissing: "The witness script of one of the card's inputs is missing."
        case .derivationMismatch: "The PSBT names another key than the card has at that path."
        case .keyNotInScript: "The card's key does not stand in the script that is spent."
        case .changeMismatch: "An output is said to be change, and key, script or path does not agree."
        case .changeCosignersDiffer:
            "An output is said to be change, and its cosigners, threshold or script type are not the inputs'."
        case .duplicateInput: "The same output is spent twice."
        case .amountOutOfRange: "An amount, or a sum of amounts, is none that can exist."
        case .outputsExceedInputs: "The outputs pay more than the inputs hold."
        case .badPartialSignature: "A signature that is already there is not valid."
        case .badFinalScript: "Final scripts that are already there do not spend what they claim to spend."
        case .modifiableFlagsMismatch: "The PSBT calls modifiable what a signature in it covers."
        case .moneyInNullData: "OP_RETURN with an amount, which would be lost for ever."
        case .networkMismatch:
            "Keys, paths or the signer are for another network; refused, or only warned about where it is a path."
        case .tooManyAccounts: "The PSBT uses more accounts of the card than are served at once."
        case .messageAsPayment: "A message to be signed (BIP-322), dressed as a payment."
        case .transactionEmpty: "The transaction has no inputs, or no outputs."
        case .walletUnsound: "The transaction is of a wallet whose change may be somebody else's: it is not used."
        case .taprootInput: "A taproot input of the card's master key: the card cannot sign it, so it is left unsigned."
        case .pathNotSignable: "The card cannot sign at the path that the PSBT names; the input is left unsigned."
        case .amountNotProven:
            "The amount of an input is only claimed: more than is shown may be lost as fee. Refused where only proven amounts are signed."
        case .sighashNotAll: "A hash type other than ALL: refused, or only warned about where such types are allowed."
        case .changePathUnusual: "Change at a place where wallets do not look: the money may be hard to find again."
        case .changeNotProven: "An output is said to be change, and that is not proven: it may be a payment."
        case .walletChangeNotProven:
            "The wallet that made the transaction calls an output its own, and the signer's keys do not prove it."
        case .feeHigh: "The fee is more than 50 000 sat, or more than 5 % of what is sent."
        case .feeRateHigh: "The fee rate is above 500 sat/vB."
        case .feeRateLow: "The fee rate is below 1 sat/vB: nodes will not pass it on."
        case .outputUnspendable: "An output that nobody can spend, or with keys that can never sign."
        case .outputUnknown: "An output whose script is not known."
        case .outputDust: "An output so small that nodes will not pass it on."
        case .paymentRepeated: "Several outputs pay the same address."
        case .addressAlreadyPaid:
            "A signed transaction that is not settled yet pays the same address: whoever is paid may get the money twice."
        case .policy: "A rule of the program that signs, or of whoever runs it, speaks against it."
        case .lockTime: "The transaction is valid only after a block or a time."
        case .relativeLock: "An input is valid only some time after its coin."
        case .replaceable: "The transaction may be replaced until it is in a block."
        }
    }
}
