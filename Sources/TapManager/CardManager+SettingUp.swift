import Bitcoin
import TapProtocol

/// The wanted state of a TAPSIGNER or SATSCHIP.
public struct SetupGoal: Sendable, Equatable {
    /// Up to 8 hardened steps; `nil`: the path to which the card was moved, or BIP-84's first account.
    package var path: DerivationPath?
    /// The chain code of the master key, which a card that has a key must have; `nil`: a random one, or the one that
    /// the card has.
    package var chainCode: ChainCode?
    /// Whether the card keeps its CVC; otherwise the interaction is asked for a new one. `nil`: a card that is ready
    /// already keeps it, any other gets a new one.
    package var keepsCVC: Bool?
    /// Whether the current CVC is tried as soon as it was given, because the user still has to make up a new one. A
    /// program that has the new CVC already leaves it to the flow, which also finds out that the card has it already.
    package var triesCVCFirst = false
    /// Whether a card that has a key already is refused, even if its setup is not complete.
    package var isForNewCards = false

    /// A goal; by default, BIP-84's first account and a new CVC that the user chooses for a new card, and no change of a
    /// card that is ready.
    /// - Parameters:
    ///   - path: up to 8 hardened steps; `nil`: that of an interrupted setup, or else the path to which the card was
    ///     moved, or BIP-84's first account.
    ///   - chainCode: the master key's, 32 bytes, which a card that has a key must have; `nil`: a random one, or the one
    ///     that the card has.
    ///   - keepsCVC: whether the card keeps its CVC, rather than getting one that the interaction is asked for; `nil`:
    ///     only a card that is ready already keeps it.
    public init(path: DerivationPath? = nil, chainCode: ChainCode? = nil, keepsCVC: Bool? = nil) {
        self.path = path
        self.chainCode = chainCode
        self.keepsCVC = keepsCVC
    }
}

/// Setting up cards.
extension CardManager {
    /// Prepares a TAPSIGNER or SATSCHIP for use: key, path, backup, new CVC, each proven as far as possible. After an
    /// interruption, call it again.
    ///
    /// Before a CVC is asked for, it is known that an accepted factory made the card, that it was not tampered with, and
    /// that its backup can be saved. The new CVC is asked for after the current one. If a card that is ready already would get another path or CVC,
    /// asks first (`Question.changeReadyCard`).
    /// - Parameter backup: where to save a TAPSIGNER's encrypted backup; `nil`: IDENT.aes in the current folder, or
    ///   nowhere for a card that is ready already. A SATSCHIP has none.
    /// - Throws: `FlowError`: `.tampered`, `.badPath`, `.notGenuine`, `.otherChainCode`, `.keyNotOurs`,
    ///   `.backupNotSaved`, `.neitherCVC`, `.cvcInDoubt`, …; `ErrorCode.cannotWrite`, `ErrorCode.diskFull`,
    ///   `ErrorCode.wouldOverwrite` for the backup file; what the interaction throws.
    public nonisolated func setUp(
        _ card: CardAtHand, _ goal: SetupGoal = SetupGoal(), backup: BackupFile? = nil
    ) async throws -> CardSetup {
        try await lettingGo(of: card) {
            try CVCPurpose.setUp.requireProduct(of: card)
            guard !card.status.isTampered else { throw FlowError.tampered }
            if goal.isForNewCards { try await requireState(of: card) { $0.isSetUp ? .alreadySetUp : nil } }
            if let path = goal.path { try AccountProver.requireReturn(to: path) }
            let isReady = try isReady(card)
            let journal = driver(for: card).journal
            // The interrupted setup of a card that was ready may have been about to change it.
            let keepsCVC = try goal.keepsCVC ?? (isReady && journal.unfinishedSetup()?.keepsCVC != false)
            let newPath = isReady ? try journal.newPath(goal.path, for: card.status) : nil
            let hasBackup = card.status.product == .tapsigner && !(isReady && backup == nil)
            let file = backup ?? BackupFile(ident: card.ident)
            if hasBackup {
                try file.requireFile()
                try file.checkWritable(backupCount: card.status.backupCount)
            } else if backup != nil {
                interaction.notice(.noBackup(card, file: file))
            }
            tellLockout(of: card)
            try await requireGenuine(card)
            let isChanged = isReady && (newPath != nil || !keepsCVC)
            if isChanged {
                try await interaction.confirm(.changeReadyCard(card, to: newPath, changesCVC: !keepsCVC))
            }
            let chainCode = goal.chainCode ?? .drawn()
            var newCVC: CVC?
            var result = try await perform(.setUp, on: card, isLockoutTold: true) { driver, cvc in
                let isTried = goal.triesCVCFirst && !keepsCVC ? try await tryFirst(cvc, on: driver) : false
                if !keepsCVC { newCVC = try await self.newCVC(newCVC, for: card, insteadOf: cvc) }
                var flowGoal = SetupFlow.Goal(
                    path: goal.path, chainCode: chainCode, isChainCodeNamed: goal.chainCode != nil, newCVC: newCVC,
                    backupFile: hasBackup ? file.absolutePath : nil)
                flowGoal.mayChangeReadyCard = isChanged
                flowGoal.makesBackup = hasBackup
                flowGoal.isCVCAccepted = isTried
                do {
                    return try await SetupFlow(driver: driver, cvc: cvc, goal: flowGoal).run(saveBackup: file.save)
                } catch FlowError.wouldChangeReadyCard(let path, let changesCVC) {
                    try await interaction.confirm(.changeReadyCard(card, to: path, changesCVC: changesCVC))
                    flowGoal.mayChangeReadyCard = true
                    return try await SetupFlow(driver: driver, cvc: cvc, goal: flowGoal).run(saveBackup: file.save)
                }
            }.result
            result.wasReady = isReady
            keepInMind(card, result.account.masterFingerprint)
            return result
        }
    }

    /// Whether a TAPSIGNER or SATSCHIP is ready, according to its status: it has its key and, if it makes backups, a
    /// backup, and nothing is known to be unfinished.
    /// - Throws: `FlowError.store`.
    package nonisolated func isReady(_ card: CardAtHand) throws(FlowError) -> Bool {
        try driver(for: card).journal.isReady(card.status)
    }

    /// Gives a SATSCARD's next slot a key, and has the card prove it. If its version cannot prove that a slot is
    /// sealed, asks first. Otherwise, a slot that is set up already is proven, and nothing is asked.
    /// - Parameter chainCode: the slot's chain code, which a slot that is set up already must have; `nil`: a random
    ///   one, or the one that the slot has.
    /// - Throws: `FlowError`: `.tampered`, `.usedUp`, `.otherChainCode`, `.notGenuine`, …; what the interaction throws.
    public nonisolated func setUpSlot(
        _ card: CardAtHand, chainCode: ChainCode? = nil
    ) async throws -> NewSlot {
        try await lettingGo(of: card) {
            try CVCPurpose.setUpSlot.requireProduct(of: card)
            guard !card.status.isTampered else { throw FlowError.tampered }
            guard card.status.activeSlot != nil else { throw FlowError.usedUp }
            let drawn = chainCode ?? .drawn()
            let existing = ExistingSlotFlow(
                driver: driver(for: card), chainCode: drawn, isChainCodeNamed: chainCode != nil)
            if card.status.appletVersion.provesSeal, let slot = try await existing.run() { return slot }
            tellLockout(of: card)
            try await requireGenuine(card)
            try await confirmSlotSetup(of: card)
            return try await perform(.setUpSlot, on: card, isLockoutTold: true) { driver, cvc in
                try await NextSlotFlow(
                    driver: driver, cvc: cvc, chainCode: drawn, isChainCodeNamed: chainCode != nil
                ).run()
            }.result
        }
    }

    /// The same after an unsealing, with the CVC that the card accepted for it.
    nonisolated func setUpNextSlot(of card: CardAtHand, cvc: CVC) async throws -> NewSlot {
        try await confirmSlotSetup(of: card)
        return try await NextSlotFlow(
            driver: driver(for: card), cvc: cvc, chainCode: .drawn(), isChainCodeNamed: false
        ).run()
    }

    private nonisolated func confirmSlotSetup(of card: CardAtHand) async throws {
        guard !card.status.appletVersion.provesSeal else { return }
        _ = try await SlotsFlow(driver: driver(for: card), cvc: nil).one(nil)
        try await interaction.confirm(.setUpUnprovenSlot(card))
    }
}

extension ChainCode {
    /// Taken from the system's random bytes, so that the card cannot choose its key alone.
    fileprivate static func drawn() -> Self {
        var generator = SystemRandomNumberGenerator()
        return Self(using: &generator)
    }
}
