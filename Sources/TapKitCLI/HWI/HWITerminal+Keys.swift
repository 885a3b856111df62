import TapKitHWI
import TapManager
import TapProtocol

/// What makes a card's key, and what saves it.
extension HWITerminal {
    func setUp(_ card: CardAtHand, _ places: HWIPlaces, givenCVC: CVC?) async throws -> String? {
        let options = try GlobalOptions(places)
        let setup = SignerSetup(access: card, options: options, backup: nil)
        try setup.check()
        let watched = try WatchedCard(card, options, options.manager())
        let source = try CVCSource(given: givenCVC, CVCPrompt(card, to: "set the card up", isForWindow: true))
        let newCVC = try NewCVCOptions.ask(for: card)
        let result = try await setup.run(on: watched, source, newCVC: newCVC)
        return result.backup == nil ? nil : setup.file.absolutePath
    }

    func backUp(_ card: CardAtHand, _ places: HWIPlaces, givenCVC: CVC?) async throws -> (file: String, length: Int) {
        let options = try GlobalOptions(places)
        let file = BackupFile(path: nil, ident: card.ident)
        try file.checkWritable(backupCount: card.status.backupCount)
        let watched = try WatchedCard(card, options, options.manager())
        let source = try CVCSource(given: givenCVC, CVCPrompt(card, to: "make a backup", isForWindow: true))
        let backup = try await source.unlock(watched) { (cvc) async throws(FlowError) in
            try await watched.manager.backUp(watched.gate, cvc: cvc, to: file.absolutePath, save: file.save)
        }.result
        return (file.absolutePath, backup.ciphertext.count)
    }
}
