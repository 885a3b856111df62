import Bitcoin
import Glibc
import TapManager

/// A wallet, and PSBTs of any size that spend from it.
struct BenchmarkWallet {
    /// The script types whose signing is measured.
    enum Kind: String {
        case p2wpkh, p2pkh
    }

    /// All coins are in this account, so that a card's path changes at most once.
    static let account = DerivationPath([84, 1, 0].compactMap(ChildNumber.hardened))

    /// The chain code supplied to a card.
    static let chainCode: ChainCode = {
        guard let code = ChainCode([UInt8](repeating: 5, count: ChainCode.length)) else { exit(70) }
        return code
    }()

    private static let inputValue: Int64 = 10_000
    private static let fee: Int64 = 100_000

    /// The account's key, and the fingerprint of the master key above it.
    private let key: ExtendedPublicKey
    private let fingerprint: Fingerprint

    /// Creates the wallet of a master key.
    init(master: ExtendedPrivateKey) throws {
        key = try master.descendant(Self.account).neutered
        fingerprint = master.neutered.fingerprint
    }

    /// Creates the wallet of a card's account.
    init(account: Account) {
        key = account.key
        fingerprint = account.masterFingerprint
    }

    /// A master key with a fixed seed.
    static var master: ExtendedPrivateKey {
        get throws {
            try ExtendedPrivateKey(seed: SecretBytes([UInt8](repeating: 7, count: 32)), network: .test)
        }
    }

    /// Inputs with their previous transactions, one payment and change.
    func psbt(kind: Kind, inputCount: Int) throws -> PSBT {
        let receive = try key.child(ChildNumber(rawValue: 0))
        let change = try key.child(ChildNumber(rawValue: 1)).child(ChildNumber(rawValue: 0)).publicKey
        var keys: [PublicKey] = []
        var fundings: [Transaction] = []
        for index in 0..<inputCount {
            let key = try receive.child(ChildNumber(rawValue: UInt32(index))).publicKey
            keys.append(key)
            fundings.append(try funding(kind == .p2pkh ? .p2pkh(key) : .p2wpkh(key), salt: UInt32(index)))
        }
        let total = Int64(inputCount) * Self.inputValue
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: fundings.map { TransactionInput(outpoint: Outpoint(transactionID: $0.id, index: 0)) },
                outputs: [
                    TransactionOutput(
                        value: total / 2, scriptPubKey: Script([0x00, 0x14] + [UInt8](repeating: 1, count: 20))),
                    TransactionOutput(value: total - total / 2 - Self.fee, scriptPubKey: .p2wpkh(change)),
                ]))
        for index in 0..<inputCount {
            psbt[input: index].nonWitnessUTXO = try PreviousTransaction(fundings[index])
            if kind == .p2wpkh { psbt[input: index].witnessUTXO = fundings[index].outputs[0] }
            psbt[input: index].addDerivation(derivation(keys[index], branch: 0, index: UInt32(index)))
        }
        psbt[output: 1].addDerivation(derivation(change, branch: 1, index: 0))
        return psbt
    }

    /// An ordinary transaction of two inputs and two outputs.
    private func funding(_ script: Script, salt: UInt32) throws -> Transaction {
        let id = TransactionID([UInt8](repeating: 3, count: 32)) ?? Transaction(inputs: [], outputs: []).id
        let scriptSig = Script([UInt8](repeating: 0x51, count: 107))
        return Transaction(
            inputs: (0..<2).map {
                TransactionInput(outpoint: Outpoint(transactionID: id, index: 2 * salt + $0), scriptSig: scriptSig)
            },
            outputs: [
                TransactionOutput(value: Self.inputValue, scriptPubKey: script),
                TransactionOutput(value: 5_000, scriptPubKey: script),
            ])
    }

    private func derivation(_ key: PublicKey, branch: UInt32, index: UInt32) -> KeyDerivation {
        let steps = DerivationPath([ChildNumber(rawValue: branch), ChildNumber(rawValue: index)])
        return KeyDerivation(
            publicKey: key.bytes, fingerprint: fingerprint, path: Self.account.appending(steps))
    }
}
