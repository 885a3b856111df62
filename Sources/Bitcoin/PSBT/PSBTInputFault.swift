import ByteCodec

/// Why an input of a PSBT cannot be spent, or not this way.
public enum PSBTInputFault: Error, Equatable, Sendable {
    /// Both the witness UTXO and the previous transaction are missing.
    case spentOutputMissing
    /// The previous transaction is missing, and without it a legacy signature would not cover a known amount.
    case previousTransactionMissing
    /// Witness UTXO and previous transaction have different amounts or scripts.
    case contradictingSpentOutputs
    /// The spent output's value is negative or above 21 million BTC.
    case amountOutOfRange
    /// The redeem script or witness script is missing, or does not belong to the spent output.
    case script(SpendingScript.Problem)
    /// A redeem script that can never be pushed: more than `Script.maximumRedeemScriptLength` bytes.
    case redeemScriptTooLong(Int)
    /// A witness program that ECDSA cannot sign: taproot, or one without rules yet.
    case notECDSA
    /// A sighash type that nodes do not relay.
    case sighashTypeNotStandard(SighashType)
    /// Another PSBT of the same transaction says that the input spends a different amount or script.
    case otherCoin
    /// Another PSBT of the same transaction demands a different sighash type.
    case otherDemand
    /// A signature whose sighash type differs from the one that the input demands.
    case otherSighashType(SighashType, demanded: SighashType)
    /// A legacy input signed with SINGLE and without an output at its index: the signature would fit any transaction.
    case noOutputForSingle
    /// A signature that does not verify under its key, given in its encoding.
    case invalidSignature(publicKey: [UInt8])
    /// It has neither a scriptSig nor a witness yet.
    case notFinal
    /// Final scriptSig and witness do not spend the output.
    case finalScriptsDoNotSpend
}

extension PSBTInputFault: CustomStringConvertible {
    /// What is wrong, for use after the input's index.
    public var description: String {
        switch self {
        case .spentOutputMissing: "does not say which output it spends"
        case .previousTransactionMissing: "is a legacy input without its previous transaction"
        case .contradictingSpentOutputs: "has a witness UTXO that differs from the output of its previous transaction"
        case .amountOutOfRange: "spends a negative amount, or one above 21 million BTC"
        case .script(.redeemScriptMissing): "lacks its redeem script"
        case .script(.redeemScriptMismatch): "has a redeem script that does not belong to the spent output"
        case .script(.witnessScriptMissing): "lacks its witness script"
        case .script(.witnessScriptMismatch): "has a witness script that does not belong to the spent output"
        case .redeemScriptTooLong(let count): "has a redeem script of \(count) bytes, too long to ever be spent"
        case .notECDSA: "spends a witness program that ECDSA cannot sign"
        case .sighashTypeNotStandard(let type): "has the sighash type \(type), which nodes do not relay"
        case .otherCoin: "spends a different amount or script in the other PSBT"
        case .otherDemand: "demands a different sighash type in the other PSBT"
        case .otherSighashType(let type, let demanded): "has a signature of type \(type), but demands \(demanded)"
        case .noOutputForSingle: "is signed with SINGLE, but there is no output at its index"
        case .invalidSignature(let publicKey): "has a signature that does not verify under key \(Hex.encode(publicKey))"
        case .notFinal: "is not final"
        case .finalScriptsDoNotSpend: "has a final scriptSig or witness that does not spend the output"
        }
    }
}
