import Bitcoin
import TapProtocol

/// Changing a card that is in use.
extension CardManager {
    /// Gives a card a new CVC, asked for after the current one, and tries it. After an interruption, call it again with
    /// the same two: that finds out which one the card has.
    /// - Throws: `FlowError`: `.unchangedCVC`, `.card` with error 425 before the first backup, `.neitherCVC`,
    ///   `.triesSpent`, `.cvcInDoubt` if the card was lost on the way and did not return, or nothing that it answers is
    ///   clear, …; what the interaction throws.
    public nonisolated func changeCVC(of card: CardAtHand) async throws {
        try await changeCVC(of: card, tryingCurrentFirst: false)
    }

    /// The same for a user who still has to make up the new CVC.
    /// - Parameter triesFirst: whether the current CVC is tried before the new one is asked for.
    package nonisolated func changeCVC(of card: CardAtHand, tryingCurrentFirst triesFirst: Bool) async throws {
        try await lettingGo(of: card) {
            var newCVC: CVC?
            _ = try await perform(.changeCVC, on: card) { driver, cvc in
                if triesFirst { _ = try await tryFirst(cvc, on: driver) }
                let new = try await self.newCVC(newCVC, for: card, insteadOf: cvc)
                newCVC = new
                try await ChangeCVCFlow(driver: driver, from: cvc, to: new).change()
            }
        }
    }

    /// Tries the current CVC, so that a mistyped one is known before anybody makes up a new one. It costs no try: the
    /// same CVC would be tried later. Nothing is tried if an earlier run was interrupted after the CVC may have been
    /// changed, because then either of two may be right.
    ///
    /// Wire: `check`, `certs`, then `xpub`, or `wait` for a card without a key.
    /// - Returns: whether the card accepted it. A card that refuses the command for another reason shows that later.
    /// - Throws: `FlowError.card` with `.wrongCVC`, `.notGenuine`, ….
    nonisolated func tryFirst(_ cvc: CVC, on driver: CardDriver) async throws(FlowError) -> Bool {
        if try driver.journal.isCVCInDoubt() { return false }
        if case .setup(let state) = try driver.journal.unfinished(.setup), state.isCVCChanged { return false }
        return try await driver.performAuthenticated(task: .setUp, needsKey: false) { session in
            do throws(TapError) {
                if session.status.isSetUp { try session.test(cvc) } else { try session.wait(cvc: cvc) }
                return true
            } catch {
                guard case .card = error else { throw error }
                return false
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
