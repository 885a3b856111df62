import Bitcoin
import TapProtocol

/// Finds out whether an opened backup is this card's.
package struct BackupCheckFlow: Sendable {
    private let driver: CardDriver
    private let cvc: CVC

    /// A flow for one card and its CVC.
    package init(driver: CardDriver, cvc: CVC) {
        self.driver = driver
        self.cvc = cvc
    }

    /// Compares the backup with the card: the master key, its chain code, and the key at the card's path, all of which the
    /// card proves to hold. This alone proves the hardened path: the backup's key there is the card's.
    ///
    /// Wire: `check`, `certs`, and what `AccountFlow.keys()` asks for.
    /// - Returns: the card's path, which may have been changed since the backup was made.
    /// - Throws: `FlowError`: `.otherCardsBackup` when the card has another master key; `.card(.badProof(.backup))` when it
    ///   has that key and shows another chain code, or another key below it; `.wrongProduct`, `.notGenuine`,
    ///   `.notSetUp`, `.card`.
    ///
    /// Spec: protocol, "Backup file", and "What must be verified, always" (`backup`).
    package func check(_ backup: Backup) async throws(FlowError) -> DerivationPath {
        let prover = AccountProver(journal: driver.journal, cvc: cvc)
        return try await driver.performAuthenticated(task: Self.task, on: [.tapsigner]) { session in
            let (path, account, master) = try prover.atHome(on: session) { home, key in
                let master = try prover.masterKey(on: session, home: home, homeKey: key)
                return (home, Account(masterFingerprint: master.fingerprint, path: home, key: key), master)
            }
            let own = backup.masterKey.neutered
            guard master.publicKey == own.publicKey else {
                throw FlowError.otherCardsBackup(backup: own.fingerprint, card: master.fingerprint)
            }
            guard backup.belongs(to: master) else {
                throw TapError.badProof(
                    .backup, detail: "its master key is the backup's, with another chain code or for another network")
            }
            guard try backup.account(at: path) == account else {
                throw TapError.badProof(
                    .backup, detail: "its key at \(path) does not follow from the backup's master key")
            }
            return path
        }
    }

    /// What a card of another kind cannot do, for the error's message.
    private static let task = "have made this backup"
}
