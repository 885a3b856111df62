import TapProtocol

/// The only way in which a manager asks or informs the user. A front end implements it: a terminal, a window, a test
/// with fixed answers.
///
/// The order is always the same: the transaction or message to sign is shown and confirmed, then a CVC is asked for.
/// Any error that `confirm` or `cvc` throws ends the task, and reaches the caller unchanged.
public protocol Interaction: Sendable {
    /// Asks for confirmation; returns on a yes.
    /// - Throws: on a no (for which there is `Declined`), or if nobody can be asked.
    func confirm(_ question: Question) async throws

    /// The CVC of a card. Called again after the card refused one.
    /// - Throws: if there is none, or the only one was refused.
    func cvc(for request: CVCRequest) async throws -> CVC

    /// Whether the CVC that `cvc(for:)` would give for a card was given in advance for any card, and not for this one.
    /// The manager does not try such a CVC on several cards when it does not know which one is meant: each could count
    /// a wrong try. A program that asks the user for each CVC need not implement it.
    func hasOnlyGeneralCVC(for card: CardIdent) -> Bool

    /// The card's new CVC. A program that never sets up a card or changes a CVC need not implement it.
    /// - Parameter present: the given current CVC; the manager refuses a new one that is the same. `nil` if an earlier
    ///   run was interrupted, as the card may have the new one already.
    /// - Throws: if there is none.
    func newCVC(for card: CardAtHand, insteadOf present: CVC?) async throws -> CVC

    /// The backup key: 16 bytes, printed as 32 hexadecimal digits on the card that made the backup. Asked for each time
    /// that a backup is decrypted, and again after a key that does not decrypt it. A program that decrypts none need not
    /// implement it.
    /// - Parameter refusal: why the key given before does not decrypt the backup; `nil` the first time.
    /// - Throws: if there is none, or the only one was refused.
    func backupKey(for purpose: BackupPurpose, after refusal: TapError?) async throws -> Backup.Key

    /// Informs the user. Must return at once.
    func notice(_ notice: Notice)
}

extension Interaction {
    /// No: each card's CVC is asked for.
    public func hasOnlyGeneralCVC(for card: CardIdent) -> Bool { false }

    /// - Throws: `ErrorCode.cvcNeeded`: a front end that sets up cards answers itself.
    public func newCVC(for card: CardAtHand, insteadOf present: CVC?) async throws -> CVC {
        throw NobodyToAsk.Absence.cvc
    }

    /// - Throws: `ErrorCode.keyNeeded`: a front end that opens backups answers itself.
    public func backupKey(for purpose: BackupPurpose, after refusal: TapError?) async throws -> Backup.Key {
        throw NobodyToAsk.Absence.backupKey
    }
}
