/// The key types of an input's map.
///
/// Spec: BIP-174, BIP-127, BIP-370, BIP-371 and BIP-373, the tables of per-input types.
public enum PSBTInputType: UInt64, CaseIterable, Sendable {
    /// The whole transaction with the spent output.
    case nonWitnessUTXO = 0x00
    /// The spent output.
    case witnessUTXO = 0x01
    /// A signature, under its public key.
    case partialSignature = 0x02
    /// The sighash type that signatures must use.
    case sighashType = 0x03
    /// The script behind a P2SH output.
    case redeemScript = 0x04
    /// The script behind a P2WSH program.
    case witnessScript = 0x05
    /// The origin of a public key.
    case derivation = 0x06
    /// The complete scriptSig.
    case finalScriptSig = 0x07
    /// The complete witness stack.
    case finalScriptWitness = 0x08
    /// The message of a proof of reserves.
    case proofOfReservesCommitment = 0x09
    /// The preimage of the RIPEMD-160 hash in the key.
    case ripemd160Preimage = 0x0A
    /// The preimage of the SHA-256 hash in the key.
    case sha256Preimage = 0x0B
    /// The preimage of the HASH160 in the key.
    case hash160Preimage = 0x0C
    /// The preimage of the double SHA-256 hash in the key.
    case hash256Preimage = 0x0D
    /// The id of the transaction with the spent output. Version 2 only, where it is required.
    case previousTransactionID = 0x0E
    /// The index of the spent output. Version 2 only, where it is required.
    case outputIndex = 0x0F
    /// The sequence number. Version 2 only.
    case sequence = 0x10
    /// The minimum lock time that the input requires. Version 2 only.
    case requiredTimeLockTime = 0x11
    /// The minimum lock height that the input requires. Version 2 only.
    case requiredHeightLockTime = 0x12
    /// A Schnorr signature for the key path.
    case tapKeySignature = 0x13
    /// A Schnorr signature for a script path, under the x-only key and the leaf's hash.
    case tapScriptSignature = 0x14
    /// A leaf's script and version, under the control block.
    case tapLeafScript = 0x15
    /// The origin of an x-only key.
    case tapDerivation = 0x16
    /// The internal key.
    case tapInternalKey = 0x17
    /// The root of the script tree.
    case tapMerkleRoot = 0x18
    /// The keys behind a MuSig2 aggregate key.
    case musig2ParticipantPublicKeys = 0x1A
    /// A MuSig2 participant's public nonce.
    case musig2PublicNonce = 0x1B
    /// A MuSig2 participant's partial signature.
    case musig2PartialSignature = 0x1C
    /// For private use.
    case proprietary = 0xFC

    /// The format of key data and value, and the versions that allow the type.
    var format: PSBTFieldFormat {
        switch self {
        case .nonWitnessUTXO: .init("PSBT_IN_NON_WITNESS_UTXO", value: .transaction)
        case .witnessUTXO: .init("PSBT_IN_WITNESS_UTXO", value: .transactionOutput)
        case .partialSignature: .init("PSBT_IN_PARTIAL_SIG", key: .publicKey, value: .signature)
        case .sighashType: .init("PSBT_IN_SIGHASH_TYPE", value: .length(4))
        case .redeemScript: .init("PSBT_IN_REDEEM_SCRIPT")
        case .witnessScript: .init("PSBT_IN_WITNESS_SCRIPT")
        case .derivation: .init("PSBT_IN_BIP32_DERIVATION", key: .publicKey, value: .keyOrigin)
        case .finalScriptSig: .init("PSBT_IN_FINAL_SCRIPTSIG")
        case .finalScriptWitness: .init("PSBT_IN_FINAL_SCRIPTWITNESS", value: .witnessStack)
        case .proofOfReservesCommitment: .init("PSBT_IN_POR_COMMITMENT", value: .utf8)
        case .ripemd160Preimage: .init("PSBT_IN_RIPEMD160", key: .length(20), value: .preimage(.ripemd160))
        case .sha256Preimage: .init("PSBT_IN_SHA256", key: .length(32), value: .preimage(.sha256))
        case .hash160Preimage: .init("PSBT_IN_HASH160", key: .length(20), value: .preimage(.hash160))
        case .hash256Preimage: .init("PSBT_IN_HASH256", key: .length(32), value: .preimage(.hash256))
        case .previousTransactionID: .init("PSBT_IN_PREVIOUS_TXID", value: .length(32), versions: .only2)
        case .outputIndex: .init("PSBT_IN_OUTPUT_INDEX", value: .length(4), versions: .only2)
        case .sequence: .init("PSBT_IN_SEQUENCE", value: .length(4), versions: .only2)
        case .requiredTimeLockTime: .init("PSBT_IN_REQUIRED_TIME_LOCKTIME", value: .timeLockTime, versions: .only2)
        case .requiredHeightLockTime:
            .init("PSBT_IN_REQUIRED_HEIGHT_LOCKTIME", value: .heightLockTime, versions: .only2)
        case .tapKeySignature: .init("PSBT_IN_TAP_KEY_SIG", value: .schnorrSignature)
        case .tapScriptSignature: .init("PSBT_IN_TAP_SCRIPT_SIG", key: .xOnlyKey(tail: 32), value: .schnorrSignature)
        case .tapLeafScript: .init("PSBT_IN_TAP_LEAF_SCRIPT", key: .controlBlock, value: .notEmpty)
        case .tapDerivation: .init("PSBT_IN_TAP_BIP32_DERIVATION", key: .xOnlyKey(tail: 0), value: .tapKeyOrigin)
        case .tapInternalKey: .init("PSBT_IN_TAP_INTERNAL_KEY", value: .xOnlyKey)
        case .tapMerkleRoot: .init("PSBT_IN_TAP_MERKLE_ROOT", value: .length(32))
        case .musig2ParticipantPublicKeys:
            .init("PSBT_IN_MUSIG2_PARTICIPANT_PUBKEYS", key: .compressedPublicKey, value: .publicKeyList)
        case .musig2PublicNonce: .init("PSBT_IN_MUSIG2_PUB_NONCE", key: .musig2Participant, value: .length(66))
        case .musig2PartialSignature: .init("PSBT_IN_MUSIG2_PARTIAL_SIG", key: .musig2Participant, value: .length(32))
        case .proprietary: .init("PSBT_IN_PROPRIETARY", key: .proprietary)
        }
    }
}
