import TapProtocol

/// The only way in which a manager asks a person something or tells them something. A front end implements it: a terminal, a window, a
/// test with answers of its own.
///
/// The order is the same everywhere: what will be signed is shown and confirmed, then a CVC is asked for. Whatever `confirm` and
/// `cvc` throw ends the task, and reaches whoever began it unchanged.
public protocol Interaction: Sendable {
    /// Has something confirmed; returns on a yes.
    /// - Throws: on a no (`Declined` is there for it), or when nobody can be asked.
    func confirm(_ question: Question) async throws

    /// The CVC of a card. Called again after one that the card refused.
    /// - Throws: when there is none, or the one that there is was refused.
    func cvc(for request: CVCRequest) async throws -> CVC

    /// The CVC that a card shall have from now on. A program that sets no card up and changes no CVC need not give one.
    /// - Parameter present: the one that was given as the card's own, and that the new one must differ from; the manager refuses it
    ///   else. `nil` where an earlier run was interrupted, and the card may have the new one by now.
    /// - Throws: when there is none.
    func newCVC(for card: CardAtHand, insteadOf present: CVC?) async throws -> CVC

    /// The key of a backup: 16 bytes, printed as 32 hexadecimal digits on the card that made it. Asked for once each time that a
    /// backup is opened. A program that opens none need not give one.
    /// - Throws: when there is none.
    func backupKey(for purpose: BackupPurpose) async throws -> Backup.Key

    /// Tells something. Must return at once.
    func notice(_ notice: Notice)
}

extension Interaction {
    /// - Throws: `NobodyToAsk.Absence.cvc`.
    public func newCVC(for card: CardAtHand, insteadOf present: CVC?) async throws -> CVC {
        throw NobodyToAsk.Absence.cvc
    }

    /// - Throws: `NobodyToAsk.Absence.backupKey`.
    public func backupKey(for purpose: BackupPurpose) async throws -> Backup.Key {
        throw NobodyToAsk.Absence.backupKey
    }
}
