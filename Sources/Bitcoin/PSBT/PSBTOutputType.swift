/// The key types of an output's map.
///
/// Spec: BIP-174, BIP-370, BIP-371 and BIP-373, the tables of per-output types.
public enum PSBTOutputType: UInt64, CaseIterable, Sendable {
    /// The script behind a P2SH output.
    case redeemScript = 0x00
    /// The script behind a P2WSH program.
    case witnessScript = 0x01
    /// The origin of a public key.
    case derivation = 0x02
    /// The value in satoshis. Version 2 only, where it is required.
    case amount = 0x03
    /// The locking script. Version 2 only, where it is required.
    case script = 0x04
    /// The internal key.
    case tapInternalKey = 0x05
    /// The script tree.
    case tapTree = 0x06
    /// The origin of an x-only key.
    case tapDerivation = 0x07
    /// The keys behind a MuSig2 aggregate key.
    case musig2ParticipantPublicKeys = 0x08
    /// For private use.
    case proprietary = 0xFC

    /// The format of key data and value, and the versions that allow the type.
    var format: PSBTFieldFormat {
        switch self {
        case .redeemScript: .init("PSBT_OUT_REDEEM_SCRIPT")
        case .witnessScript: .init("PSBT_OUT_WITNESS_SCRIPT")
        case .derivation: .init("PSBT_OUT_BIP32_DERIVATION", key: .publicKey, value: .keyOrigin)
        case .amount: .init("PSBT_OUT_AMOUNT", value: .length(8), versions: .only2)
        case .script: .init("PSBT_OUT_SCRIPT", versions: .only2)
        case .tapInternalKey: .init("PSBT_OUT_TAP_INTERNAL_KEY", value: .xOnlyKey)
        case .tapTree: .init("PSBT_OUT_TAP_TREE", value: .tapTree)
        case .tapDerivation: .init("PSBT_OUT_TAP_BIP32_DERIVATION", key: .xOnlyKey(tail: 0), value: .tapKeyOrigin)
        case .musig2ParticipantPublicKeys:
            .init("PSBT_OUT_MUSIG2_PARTICIPANT_PUBKEYS", key: .compressedPublicKey, value: .publicKeyList)
        case .proprietary: .init("PSBT_OUT_PROPRIETARY", key: .proprietary)
        }
    }
}
