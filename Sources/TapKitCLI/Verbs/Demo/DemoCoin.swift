import Bitcoin
import TapManager

/// Coins at the first addresses of an account, invented for the demonstration, and a PSBT that spends them.
struct DemoCoin {
    private static let inputCount: UInt32 = 2
    private static let inputValue: Int64 = 250_000
    private static let payment: Int64 = 400_000
    private static let fee: Int64 = 2_000

    /// An unexpected failure of the demonstration.
    static let incomplete = Failure(.internalError, "The demonstration's transaction is not complete.")

    private let descriptor: AccountDescriptor
    private let account: Account

    init(account: Account) {
        self.account = account
        descriptor = AccountDescriptor(
            kind: .p2wpkh, origin: KeyOrigin(fingerprint: account.masterFingerprint, path: account.path),
            key: account.key)
    }

    /// Spends both coins: a payment to someone else, and the rest back to the account's first change address.
    func psbt() throws -> PSBT {
        let funding = try fundingTransaction()
        let change = try script(.change, 0)
        let total = Int64(Self.inputCount) * Self.inputValue
        let stranger = SHA256.hash("somebody else".utf8).prefix(20)
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: (0..<Self.inputCount).map {
                    TransactionInput(outpoint: Outpoint(transactionID: funding.id, index: $0), sequence: 0xFFFF_FFFD)
                },
                outputs: [
                    TransactionOutput(value: Self.payment, scriptPubKey: Script([0x00, 0x14] + stranger)),
                    TransactionOutput(value: total - Self.payment - Self.fee, scriptPubKey: change),
                ]))
        for index in 0..<Self.inputCount {
            psbt[input: Int(index)].nonWitnessUTXO = try PreviousTransaction(funding)
            psbt[input: Int(index)].witnessUTXO = funding.outputs[Int(index)]
            psbt[input: Int(index)].addDerivation(try derivation(.receive, index))
        }
        psbt[output: 1].addDerivation(try derivation(.change, 0))
        return psbt
    }

    private func fundingTransaction() throws -> Transaction {
        guard let id = TransactionID(SHA256.hash("an invented coin".utf8)) else { throw Self.incomplete }
        return Transaction(
            inputs: [TransactionInput(outpoint: Outpoint(transactionID: id, index: 0))],
            outputs: try (0..<Self.inputCount).map {
                TransactionOutput(value: Self.inputValue, scriptPubKey: try script(.receive, $0))
            })
    }

    private func script(_ branch: AccountDescriptor.Branch, _ index: UInt32) throws -> Script {
        .p2wpkh(try descriptor.publicKey(branch, index))
    }

    private func derivation(_ branch: AccountDescriptor.Branch, _ index: UInt32) throws -> KeyDerivation {
        let steps = DerivationPath([ChildNumber(rawValue: branch.rawValue), ChildNumber(rawValue: index)])
        return KeyDerivation(
            publicKey: try descriptor.publicKey(branch, index).bytes, fingerprint: account.masterFingerprint,
            path: account.path.appending(steps))
    }
}
