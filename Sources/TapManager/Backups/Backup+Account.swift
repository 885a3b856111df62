import Bitcoin
import TapProtocol

extension Backup {
    /// The account at a path, in the form that the card itself gives: the key's parent fingerprint is zero.
    /// - Throws: `TapError.badBackup(.path)` if there is no such key (probability below 2⁻¹²⁷).
    package func account(at path: DerivationPath) throws(TapError) -> Account {
        guard let own = try? masterKey.descendant(path).neutered else { throw .badBackup(.path) }
        let key = ExtendedPublicKey(
            network: own.network, depth: own.depth, childNumber: own.childNumber, chainCode: own.chainCode,
            publicKey: own.publicKey)
        return Account(masterFingerprint: masterKey.neutered.fingerprint, path: path, key: key)
    }
}
