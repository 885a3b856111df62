import Bitcoin
import TapProtocol

/// Finds out whether a decrypted backup is this card's.
package struct BackupCheckFlow: Sendable {
    private let driver: CardDriver
    private let cvc: CVC

    /// A flow for one card and its CVC.
    package init(driver: CardDriver, cvc: CVC) {
        self.driver = driver
        self.cvc = cvc
    }

    /// Compares the backup with the card: the master key, its chain code, and the key at the card's path, which the
    /// card proves to have. Only this proves the hardened path: the backup's key there is the card's.
    ///
    /// Wire: `check`, `certs`, and what `AccountFlow.keys()` asks for.
    /// - Returns: the card's path, which may have changed since the backup was made.
    /// - Throws: `FlowError`: `.otherCardsBackup` if the card has a different master key; `.card(.badProof(.backup))`
    ///   if it has that key but shows a different chain code, or a different key below it; `.wrongProduct`,
    ///   `.notGenuine`, `.notSetUp`, `.card`.
    ///
    /// Spec: protocol, "Backup file", and "What must be verified, always" (`backup`).
    package func check(_ backup: Backup) async throws(FlowError) -> DerivationPath {
        let prover = AccountProver(journal: driver.journal, cvc: cvc)
        return try await driver.performAuthenticated(task: .compareBackup, on: [.tapsigner]) { session in
            let (path, account, master) = try prover.atHome(on: session, telling: driver.events) { home, key in
                let master = try prover.masterKey(on: session, home: home, homeKey: key)
                return (home, Account(masterFingerprint: master.fingerprint, path: home, key: key), master)
            }
            let own = backup.masterKey.neutered
            guard master.publicKey == own.publicKey else {
                throw FlowError.otherCardsBackup(backup: own.fingerprint, card: master.fingerprint)
            }
            guard backup.belongs(to: master) else {
                throw TapError.badProof(
                    .backup, detail: "it has the backup's master key, but a different chain code or network")
            }
            guard try backup.account(at: path) == account else {
                throw TapError.badProof(
                    .backup, detail: "its key at \(path) is not derived from the backup's master key")
            }
            return path
        }
    }
}
