import Bitcoin
import TapProtocol

/// Changing a card that is in use.
extension CardManager {
    /// Gives a card a new CVC, asked for after the current one, and tries it. After an interruption, call it again with
    /// the same two: that finds out which one the card has.
    /// - Throws: `FlowError`: `.unchangedCVC`, `.card` with error 425 before the first backup, `.neitherCVC`,
    ///   `.triesSpent`, `.cvcInDoubt` if the card was lost on the way and did not return, …; what the interaction
    ///   throws.
    public nonisolated func changeCVC(of card: CardAtHand) async throws {
        try await lettingGo(of: card) {
            var newCVC: CVC?
            _ = try await perform(.changeCVC, on: card) { driver, cvc in
                let new = try await self.newCVC(newCVC, for: card, insteadOf: cvc)
                newCVC = new
                try await ChangeCVCFlow(driver: driver, from: cvc, to: new).change()
            }
        }
    }

    /// The card's new CVC, asked for unless it was given already. It must differ from the current one, unless an
    /// earlier run was interrupted, as the card may have it already.
    /// - Throws: `FlowError.unchangedCVC`, what the interaction throws.
    nonisolated func newCVC(_ given: CVC?, for card: CardAtHand, insteadOf present: CVC) async throws -> CVC {
        let journal = driver(for: card).journal
        let mayHaveNew = try journal.isCVCInDoubt() || journal.unfinished(.setup) != nil
        let new: CVC
        if let given {
            new = given
        } else {
            new = try await interaction.newCVC(for: card, insteadOf: mayHaveNew ? nil : present)
        }
        guard mayHaveNew || !new.isEqual(to: present) else { throw FlowError.unchangedCVC }
        return new
    }

    /// Moves a card to a path, and has it prove its key there.
    /// - Parameter path: up to 8 hardened steps.
    /// - Throws: `FlowError`: `.badPath` before anything is asked, `.notSetUp`, `.wrongProduct`, …; what the
    ///   interaction throws.
    public nonisolated func derive(_ path: DerivationPath, on card: CardAtHand) async throws -> Account {
        try await lettingGo(of: card) {
            let purpose = CVCPurpose.derive(path)
            try purpose.requireProduct(of: card)
            try AccountProver.requireReturn(to: path)
            let account = try await perform(purpose, on: card) { driver, cvc in
                try await AccountFlow(driver: driver, cvc: cvc).derive(path)
            }.result
            keepInMind(card, account.masterFingerprint)
            return account
        }
    }
}
