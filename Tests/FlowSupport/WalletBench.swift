import Bitcoin
import Synchronization
import TapManager
import TestSupport
import Testing

/// A wallet of one key, the chain it is on, and its keys.
public struct WalletBench {
    /// Its keys.
    public let keys: SampleWallet
    /// The wallet, called “w”.
    package let wallet: WatchWallet
    /// The chain.
    public let source: FakeChain
    private let descriptor: String

    /// The places of each wallet asked so far, by descriptor.
    private static let places = Mutex<[String: [Script: WalletPlace]]>([:])

    /// The wallet `wpkh(…/<0;1>/*)` of a seed.
    public init(
        _ kind: SampleWallet.Kind = .p2wpkh, seed: UInt8 = 1, over source: FakeChain = FakeChain()
    ) throws {
        self.source = source
        keys = try SampleWallet(seed: seed)
        let path = try keys.accountPath(kind)
        let scriptKind: ScriptKind =
            switch kind {
            case .p2pkh: .p2pkh;
            case .p2shP2WPKH: .p2shP2WPKH;
            case .p2wpkh: .p2wpkh
            }
        descriptor =
            AccountDescriptor(
                kind: scriptKind, origin: KeyOrigin(fingerprint: keys.fingerprint, path: path),
                key: try keys.extendedKey(path)
            ).text
        wallet = try WalletDraft(name: WalletName(parsing: "w"), network: .regtest, descriptors: [descriptor]).wallet
    }

    /// The first 80 places of each branch, by their scripts: no server's story goes further, and no coin that is spent.
    /// Hundreds of benches have the same wallet, and deriving its keys takes longer than all that follows: they are
    /// derived once.
    package func places() throws -> [Script: WalletPlace] {
        try Self.places.withLock { known in
            if let own = known[descriptor] { return own }
            var own: [Script: WalletPlace] = [:]
            for branch in wallet.branches {
                for index in 0..<UInt32(80) {
                    own[try wallet.script(at: branch.place(index))] = branch.place(index)
                }
            }
            known[descriptor] = own
            return own
        }
    }

    /// The script of a number of a branch.
    public func script(_ branch: Int, _ index: UInt32) throws -> Script {
        try wallet.script(at: WalletPlace(descriptor: 0, branch: branch, index: index))
    }

    /// What the chain says.
    public func chain(known: WalletChain? = nil, gapLimit: Int = 20) async throws -> WalletChain {
        try await WalletSync(wallet, source: source, gapLimit: gapLimit)
            .run(known: known, at: UnixTime(seconds: 1))
    }

    /// A transaction that spends coins of the wallet's, from among the first 80 places of each branch, signed by its keys.
    public func spending(
        _ coins: [Outpoint], _ outputs: [TransactionOutput], sequence: UInt32 = 0xFFFF_FFFD, lockTime: UInt32 = 0
    ) throws -> Transaction {
        let psbt = try signedPSBT(spending: coins, outputs, sequence: sequence, lockTime: lockTime)
        return try #require(SigningResult(psbt, added: 0).transaction)
    }

    /// The same as a PSBT with the previous transactions.
    public func signedPSBT(
        spending coins: [Outpoint], _ outputs: [TransactionOutput], sequence: UInt32 = 0xFFFF_FFFD, lockTime: UInt32 = 0
    ) throws -> PSBT {
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: coins.map { TransactionInput(outpoint: $0, sequence: sequence) }, outputs: outputs,
                lockTime: lockTime))
        for (index, coin) in coins.enumerated() {
            let previous = try #require(source.transaction(coin.transactionID))
            let output = previous.outputs[Int(coin.index)]
            psbt[input: index].nonWitnessUTXO = try PreviousTransaction(previous)
            psbt[input: index].witnessUTXO = output
            if let place = try places()[output.scriptPubKey] {
                let spending = try wallet.spending(at: place)
                psbt[input: index].redeemScript = spending.redeemScript
                for derivation in spending.derivations { psbt[input: index].addDerivation(derivation) }
            }
            if psbt.inputs[index].redeemScript == nil, output.scriptPubKey.witnessProgram == nil {
                psbt[input: index].witnessUTXO = nil
            }
        }
        return try keys.signed(psbt)
    }

    /// A stored transaction with the wallet's signatures.
    public func signed(_ stored: StoredTransaction) throws -> Transaction {
        try #require(SigningResult(try keys.signed(stored.psbt), added: 0).transaction)
    }

    /// An output of so many satoshis.
    public static func output(_ value: Int64, _ script: Script = stranger) -> TransactionOutput {
        TransactionOutput(value: value, scriptPubKey: script)
    }

    /// Somebody else's script.
    public static let stranger = Script([0x00, 0x14] + [UInt8](repeating: 7, count: 20))
}

extension SampleWallet {
    /// The PSBT with this wallet's signatures.
    public func signed(_ psbt: PSBT) throws -> PSBT {
        var signed = psbt
        let digests = SighashCache(psbt.unsignedTransaction)
        for (index, input) in psbt.inputs.enumerated() {
            for derivation in input.derivations where derivation.fingerprint == fingerprint {
                let digest = try psbt.spending(ofInput: index).digest(.all, using: digests)
                let key = try master.descendant(derivation.path).privateKey
                signed.addPartialSignature(
                    PartialSignature(key.signGrindingLowR(digest: digest), by: key.publicKey), toInput: index)
            }
        }
        return signed
    }
}
