extension FindingCode {
    /// What the finding means, in one sentence.
    package var meaning: String {
        switch self {
        case .previousTransactionMismatch: "The previous transaction in the PSBT is not the one that is spent."
        case .previousOutputMissing: "The previous transaction does not have the output that is spent."
        case .previousTransactionMissing:
            "The input is not a witness input, and the previous transaction that would prove its amount is missing."
        case .spentOutputUnknown: "The PSBT does not say what is spent."
        case .spentOutputsDisagree: "The PSBT contradicts itself about what is spent."
        case .redeemScriptMismatch: "The redeem script is not the one that the spent output commits to."
        case .redeemScriptMissing: "The redeem script of one of the card's inputs is missing."
        case .witnessScriptMismatch: "The witness script is not the one that the spent output commits to."
        case .witnessScriptMissing: "The witness script of one of the card's inputs is missing."
        case .derivationMismatch: "The PSBT names a wrong key for the card at that path."
        case .keyNotInScript: "The card's key is not in the script that is spent."
        case .changeMismatch: "An output is claimed to be change, but its key, script or path does not match."
        case .changeCosignersDiffer:
            "An output is claimed to be change, but its cosigners, threshold or script type differ from the inputs'."
        case .duplicateInput: "The same output is spent twice."
        case .amountOutOfRange: "An amount, or a sum of amounts, is out of range."
        case .outputsExceedInputs: "The outputs pay more than the inputs have."
        case .badPartialSignature: "An existing signature is invalid."
        case .badFinalScript: "Existing final scripts do not satisfy the spent output."
        case .modifiableFlagsMismatch: "The PSBT marks as modifiable what one of its signatures covers."
        case .moneyInNullData: "An OP_RETURN output has an amount, which would be lost forever."
        case .networkMismatch:
            "Keys or the signer are for another network (a refusal), or a path is (a warning). If the calling program "
                + "chooses the network, keys for bitcoin on a test network are a warning."
        case .tooManyAccounts: "The PSBT uses too many accounts of the card."
        case .messageAsPayment: "A message to sign (BIP-322) is disguised as a payment."
        case .transactionEmpty: "The transaction has no inputs, or no outputs."
        case .walletUnsound: "The transaction belongs to an unsafe wallet: its change may belong to someone else."
        case .taprootInput: "The card cannot sign a taproot input of its master key; the input will stay unsigned."
        case .pathNotSignable: "The card cannot sign at the path that the PSBT names; the input will stay unsigned."
        case .amountNotProven:
            "The amount of an input is only claimed, so the fee may be higher than shown. A refusal if amounts must be "
                + "proven."
        case .sighashNotAll: "A sighash type other than ALL: a refusal, or a warning if other types are allowed."
        case .changePathUnusual: "Change is at a path where wallets do not look, so the money may be hard to find."
        case .changeNotProven: "An output is claimed to be change, but that is not proven. It may be a payment."
        case .walletChangeNotProven:
            "The transaction's wallet claims an output as its own, but the signer's keys do not prove it."
        case .feeHigh: "The fee is more than 50000 sat, or more than 5% of what is sent."
        case .feeRateHigh: "The fee rate is above 500 sat/vB."
        case .feeRateLow: "The fee rate is below 1 sat/vB: many nodes will not relay it."
        case .outputUnspendable: "Nobody can spend an output, or some of its keys can never sign."
        case .outputUnknown: "An output has an unknown script."
        case .outputDust: "An output is so small that nodes will not relay it."
        case .paymentRepeated: "Several outputs pay the same address."
        case .addressAlreadyPaid:
            "A transaction that is signed, at least in part, and has fewer than 6 confirmations pays the same address: "
                + "the payee may get the money twice. It is asked about when a payment is built, and again when it is "
                + "signed."
        case .policy: "A rule of the signing program, or of its operator, objects."
        case .lockTime: "The transaction is valid only after a block or a time."
        case .relativeLock: "An input is valid only some time after its coin is confirmed."
        case .replaceable: "The transaction can be replaced until it is in a block."
        }
    }
}
