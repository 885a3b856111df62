/// The published files whose cases are entered, one and all, into a `VectorLedger`. Only these may have cases that are not
/// followed.
public enum LedgeredFile: String, CaseIterable, Decodable, Sendable {
    case coreScripts = "bitcoin-core/script_tests.json"
    case coreValidTransactions = "bitcoin-core/tx_valid.json"
    case coreInvalidTransactions = "bitcoin-core/tx_invalid.json"
    case coreSighashes = "bitcoin-core/sighash.json"
    case coreUnparsableDescriptors = "bitcoin-core/descriptors_unparsable.json"
    case coreMiniscript = "bitcoin-core/miniscript.json"
    case corePSBTs = "bitcoin-core/rpc_psbt.json"
    case hwiPSBTs = "hwi/test_psbt.json"
    case libwallyPSBTs = "libwally-core/psbt.json"
    case schnorrSignatures = "bips/bip340.csv"
    case wycheproofSignatures = "wycheproof/ecdsa_secp256k1_sha256_bitcoin.json"
    case wycheproofSharedSecrets = "wycheproof/ecdh_secp256k1.json"
    case electrumMessages = "electrum/messages.json"
    case bip322JSMessages = "bip322-js/messages.json"
    case lianaDescriptors = "liana/descriptors.json"
    case alloyTypes = "rust-miniscript/alloy.tsv"
    case walletPolicies = "bips/bip388.json"
    case nunchukWallets = "nunchuk/miniscript_wallets.json"

    /// The path below `Vectors/`.
    public var path: String { rawValue }
}
