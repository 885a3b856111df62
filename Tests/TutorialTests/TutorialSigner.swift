import Bitcoin
import TapManager
import TapProtocol
import TapSimulator
import TestSupport
import Testing

/// A simulated TAPSIGNER that is set up.
struct TutorialSigner {
    let reader: SimulatedReader
    let root: PublicKey
    let cvc: CVC
    let account: Account
    /// Where its backup lies.
    private let folder: TemporaryFolder

    init() async throws {
        var options = SimulatedCardOptions(product: .tapsigner)
        options.network = .test
        options.cvc = "123456"
        options.seed = [1]
        // Every signature at the first try, so that they can be counted.
        options.unluckyPercent = 0
        reader = SimulatedReader(card: try SimulatedCard(options))
        root = try SimulatedFactory.standard.rootKey
        cvc = try CVC("123456")
        let manager = CardManager(
            store: .memory(), readers: [SimulatedBackend([reader])], interaction: Keypad(cvc: cvc),
            acceptedRoots: [root], clock: { UnixTime(seconds: 5) })
        folder = try TemporaryFolder()
        let card = try await manager.card()
        account = try await manager.setUp(
            card, SetupGoal(chainCode: ChainCode(repeating: 7), keepsCVC: true),
            backup: BackupFile(path: folder.path("backup.aes"), ident: card.ident)
        ).account
    }

    /// A PSBT that spends a coin of the account's first address.
    func psbt() throws -> PSBT {
        let origin = KeyOrigin(fingerprint: account.masterFingerprint, path: account.path)
        let descriptor = AccountDescriptor(kind: .p2wpkh, origin: origin, key: account.key)
        let key = try descriptor.publicKey(.receive, 0)
        let nowhere = try #require(TransactionID([UInt8](repeating: 1, count: 32)))
        let funding = Transaction(
            inputs: [TransactionInput(outpoint: Outpoint(transactionID: nowhere, index: 0))],
            outputs: [TransactionOutput(value: 100_000, scriptPubKey: .p2wpkh(key))])
        let payment = Script([0x00, 0x14] + [UInt8](repeating: 9, count: 20))
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: [TransactionInput(outpoint: Outpoint(transactionID: funding.id, index: 0))],
                outputs: [TransactionOutput(value: 99_000, scriptPubKey: payment)]))
        psbt[input: 0].nonWitnessUTXO = try PreviousTransaction(funding)
        psbt[input: 0].witnessUTXO = funding.outputs[0]
        let steps = DerivationPath([ChildNumber(rawValue: 0), ChildNumber(rawValue: 0)])
        psbt[input: 0].addDerivation(
            KeyDerivation(
                publicKey: key.bytes, fingerprint: account.masterFingerprint,
                path: account.path.appending(steps)))
        return psbt
    }
}

/// Somebody who types the card's CVC, and says yes to nothing.
private struct Keypad: Interaction {
    let cvc: CVC

    func confirm(_ question: Question) throws { throw Declined() }

    func cvc(for request: CVCRequest) throws -> CVC {
        if let refusal = request.refusal { throw refusal.error }
        return cvc
    }

    func notice(_ notice: Notice) {}
}
