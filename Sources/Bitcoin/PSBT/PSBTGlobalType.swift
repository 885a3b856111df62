/// The key types of the global map.
///
/// Spec: BIP-174 and BIP-370, the tables of global types.
public enum PSBTGlobalType: UInt64, CaseIterable, Sendable {
    /// The transaction with empty scriptSigs and no witnesses. Version 0 only, where it is required.
    case unsignedTransaction = 0x00
    /// An extended public key with its origin.
    case extendedPublicKey = 0x01
    /// The version of the transaction. Version 2 only, where it is required.
    case transactionVersion = 0x02
    /// The lock time when no input requires one. Version 2 only.
    case fallbackLockTime = 0x03
    /// The number of inputs. Version 2 only, where it is required.
    case inputCount = 0x04
    /// The number of outputs. Version 2 only, where it is required.
    case outputCount = 0x05
    /// Whether inputs and outputs may still change. Version 2 only.
    case transactionModifiable = 0x06
    /// The version of the PSBT; 0 when it is missing.
    case version = 0xFB
    /// For private use.
    case proprietary = 0xFC

    /// The format of key data and value, and the versions that allow the type.
    var format: PSBTFieldFormat {
        switch self {
        case .unsignedTransaction: .init("PSBT_GLOBAL_UNSIGNED_TX", value: .transaction, versions: .only0)
        case .extendedPublicKey: .init("PSBT_GLOBAL_XPUB", key: .extendedPublicKey, value: .extendedKeyOrigin)
        case .transactionVersion: .init("PSBT_GLOBAL_TX_VERSION", value: .transactionVersion, versions: .only2)
        case .fallbackLockTime: .init("PSBT_GLOBAL_FALLBACK_LOCKTIME", value: .length(4), versions: .only2)
        case .inputCount: .init("PSBT_GLOBAL_INPUT_COUNT", value: .compactSize, versions: .only2)
        case .outputCount: .init("PSBT_GLOBAL_OUTPUT_COUNT", value: .compactSize, versions: .only2)
        case .transactionModifiable: .init("PSBT_GLOBAL_TX_MODIFIABLE", value: .length(1), versions: .only2)
        case .version: .init("PSBT_GLOBAL_VERSION", value: .length(4))
        case .proprietary: .init("PSBT_GLOBAL_PROPRIETARY", key: .proprietary)
        }
    }
}
