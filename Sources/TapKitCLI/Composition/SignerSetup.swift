import Bitcoin
import TapManager
import TapProtocol

/// A TAPSIGNER's or SATSCHIP's setup, whichever verb asks for it.
struct SignerSetup {
    private let access: CardAtHand
    private let options: GlobalOptions
    private let isFileNamed: Bool
    /// Where the encrypted backup goes.
    let file: BackupFile

    /// - Parameter backup: the backup's file; `nil`: the card's ident in this folder.
    init(access: CardAtHand, options: GlobalOptions, backup: String?) {
        self.access = access
        self.options = options
        isFileNamed = backup != nil
        file = BackupFile(path: backup, ident: access.status.ident)
    }

    /// Confirms, before anybody is asked for a CVC, that the card can be set up and its backup saved.
    /// - Throws: `Failure`: `.tampered`, `.cannotWrite`, `.wouldOverwrite`, `.diskFull`.
    func check() throws(Failure) {
        if access.status.isTampered { throw Failure(FlowError.tampered) }
        if access.status.product == .tapsigner {
            try file.requireFile()
            try file.checkWritable(backupCount: access.status.backupCount)
        } else if isFileNamed {
            options.console.note("A SATSCHIP has no backup; \(file.path) is not written.")
        }
    }

    /// Sets the card up, and keeps its fingerprint in mind.
    /// - Parameters:
    ///   - path: `nil`: the card's standard one.
    ///   - chainCode: 32 bytes; `nil`: drawn here.
    ///   - newCVC: `nil`: the card keeps its own.
    func run(
        on card: WatchedCard, _ source: CVCSource, path: DerivationPath? = nil, chainCode: ChainCode? = nil,
        newCVC: CVC?
    ) async throws(Failure) -> SetupFlow.Result {
        let goal = SetupFlow.Goal(
            path: path, chainCode: chainCode ?? .drawn(), isChainCodeNamed: chainCode != nil,
            newCVC: newCVC, backupFile: file.absolutePath)
        let result = try await source.unlock(card) { (cvc) async throws(FlowError) in
            try await card.manager.setUp(card.gate, cvc: cvc, goal: goal, saveBackup: file.save)
        }.result
        options.remember(access.status, fingerprint: result.account.masterFingerprint)
        return result
    }
}
