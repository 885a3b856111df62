import Bitcoin
import TapProtocol

/// Which keys of a wallet are in which of several backups. Has private keys.
struct BackupHolders {
    private let backups: [Fingerprint: Backup]
    private let holders: [WatchWallet.ShownKey: Fingerprint]
    private let terms: [WatchWallet.ShownKey: SpendingTerms.Key]

    /// Compares the wallet's keys with those in the backups.
    /// - Throws: `RehearsalError`: `.strangeBackup`, `.sameBackup`, `.falseKey`.
    init(_ opened: [OpenedBackup], for wallet: WatchWallet) throws {
        let keys = wallet.descriptors.flatMap(\.keys)
        var backups: [Fingerprint: Backup] = [:]
        var holders: [WatchWallet.ShownKey: Fingerprint] = [:]
        for one in opened {
            let fingerprint = one.account.masterFingerprint
            guard backups.updateValue(one.backup, forKey: fingerprint) == nil else {
                throw RehearsalError.sameBackup(fingerprint)
            }
            for key in try one.backup.keys(among: keys) { holders[key.shown] = fingerprint }
        }
        self.backups = backups
        self.holders = holders
        terms = Dictionary(keys.map { ($0.shown, $0.holder) }, uniquingKeysWith: { first, _ in first })
    }

    /// The fingerprint of the backup that has the key at a seat; `nil`: none has.
    func holder(of seat: KeySeat) -> Fingerprint? { holders[seat.key] }

    /// The backups that have keys at these seats, each once.
    func backups(of seats: Set<KeySeat>) -> [Backup] {
        Set(seats.compactMap(holder)).sorted { $0.description < $1.description }.compactMap { backups[$0] }
    }

    /// A rehearsed transaction, signed again with other locks by the keys that signed it.
    /// - Parameter changed: the transaction, whose locks alone were changed since.
    /// - Throws: `WrongKey`; why a key cannot be derived.
    func signedAgain(_ spend: Rehearsal.Spend, as changed: Transaction) throws -> Transaction {
        let digests = SighashCache(changed)
        var result = changed
        for (index, input) in spend.signed.inputs.enumerated() {
            let digest = try spend.psbt.spending(ofInput: index).digest(.all, using: digests)
            for old in input.partialSignatures {
                guard
                    let derivation = spend.psbt.inputs[index].derivations.first(where: { $0.publicKey == old.publicKey }
                    ),
                    let key = try backups[derivation.fingerprint]?.masterKey.descendant(derivation.path).privateKey,
                    key.publicKey == derivation.key
                else { throw WrongKey() }
                let new = PartialSignature(key.signGrindingLowR(digest: digest), type: .all, by: key.publicKey)
                result.inputs[index].witness = result.inputs[index].witness.map {
                    $0 == old.signature ? new.signature : $0
                }
            }
        }
        return result
    }

    /// No backup has the key of a signature that was made with one: a fault in this program or machine.
    private struct WrongKey: Error {}

    /// The names of the keys at seats, each once, in their order.
    func names(_ seats: [KeySeat]) -> [SpendingTerms.Key] {
        var seen: Set<SpendingTerms.Key> = []
        return seats.compactMap { terms[$0.key] }.filter { seen.insert($0).inserted }
    }
}

extension Backup {
    /// The keys that are the backup's, by their origins and by themselves.
    /// - Throws: `RehearsalError`: `.strangeBackup` if there are none, `.falseKey` for a key that has the backup's
    ///   fingerprint, but is another one.
    func keys(among keys: [DescriptorKey]) throws -> [DescriptorKey] {
        let fingerprint = masterKey.neutered.fingerprint
        let own = try keys.filter { key in
            guard let origin = key.origin ?? key.ownOrigin, origin.fingerprint == fingerprint else { return false }
            guard key.material.isKey(try account(at: origin.path).key) else { throw RehearsalError.falseKey(origin) }
            return true
        }
        guard !own.isEmpty else { throw RehearsalError.strangeBackup(fingerprint) }
        return own
    }
}

extension DescriptorKey {
    /// The origin of an extended key that is written without one: it may be a master key.
    fileprivate var ownOrigin: KeyOrigin? {
        guard case .extended(let key) = material else { return nil }
        return KeyOrigin(fingerprint: key.fingerprint, path: DerivationPath())
    }
}
