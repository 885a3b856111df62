import Bitcoin
import TapManager
import TapProtocol
import TapSimulator
import Testing

/// A simulated TAPSIGNER that is set up.
struct TutorialSigner {
    let reader: SimulatedReader
    let root: PublicKey
    let cvc: CVC
    let account: Account

    init() async throws {
        var options = SimulatedCardOptions(product: .tapsigner)
        options.network = .test
        options.cvc = "123456"
        // Every signature at the first try, so that they can be counted.
        options.unluckyPercent = 0
        reader = SimulatedReader(card: try SimulatedCard(options))
        root = try SimulatedFactory.standard.rootKey
        cvc = try CVC("123456")
        let card = TapCard(reader: reader)
        let ident = try await card.perform { $0.status.ident }
        let goal = SetupFlow.Goal(
            path: nil, chainCode: ChainCode(repeating: 7), isChainCodeNamed: true, newCVC: nil)
        let gate = CardGate(card: card, ident: ident, customRoots: [root])
        account = try await SetupFlow(gate: gate, cvc: cvc, goal: goal).run { _ in }.account
        await card.disconnect()
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
