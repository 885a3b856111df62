import TapManager
import TapProtocol

/// The person at this machine, whom the service asks by default: with windows or on a terminal, as the program that runs
/// it can. One question after the other. A window whose task is cancelled is removed.
package protocol ServiceDesk: Sendable {
    /// Asks for a yes.
    /// - Parameter program: who wants it done.
    /// - Throws: on a no, or if nobody can be asked.
    func confirm(_ question: Question, for program: String) async throws

    /// Asks for a card's CVC, showing what it is for.
    /// - Throws: if there is none.
    func cvc(for request: CVCRequest, for program: String) async throws -> CVC

    /// Asks for a card's new CVC, twice.
    /// - Parameter present: the current one, which it must differ from; `nil`: any is allowed.
    /// - Throws: if there is none.
    func newCVC(for card: CardAtHand, insteadOf present: CVC?, for program: String) async throws -> CVC

    /// Asks for the key of a backup, which is printed on the card that made it.
    /// - Parameter refusal: why the key given before does not decrypt the backup; `nil` the first time.
    /// - Throws: if there is none.
    func backupKey(for purpose: BackupPurpose, after refusal: TapError?, for program: String) async throws
        -> Backup.Key

    /// Asks for the CVC that is kept for a lease, which was granted.
    /// - Throws: if there is none.
    func cvc(for request: CVCRequest, of offer: LeaseOffer) async throws -> CVC

    /// Asks whether to grant a lease.
    /// - Throws: on a no, or if nobody can be asked.
    func grant(_ offer: LeaseOffer) async throws
}
