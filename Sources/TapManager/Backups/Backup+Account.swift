import Bitcoin
import TapProtocol

extension Backup {
    /// The account at a path, as the card itself names it: the key's parent fingerprint is zero.
    /// - Throws: `TapError.badBackup(.path)` when there is no such key (chance below 2⁻¹²⁷).
    package func account(at path: DerivationPath) throws(TapError) -> Account {
        guard let own = try? masterKey.descendant(path).neutered else { throw .badBackup(.path) }
        let key = ExtendedPublicKey(
            network: own.network, depth: own.depth, childNumber: own.childNumber, chainCode: own.chainCode,
            publicKey: own.publicKey)
        return Account(masterFingerprint: masterKey.neutered.fingerprint, path: path, key: key)
    }
}
