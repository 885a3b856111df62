import Bitcoin
import Testing

/// A wallet made from a seed byte, with PSBTs that spend from it: what a card's owner would have, without a card.
public struct SampleWallet: Sendable {
    /// The script types a single key can be paid with.
    public enum Kind: CaseIterable, Sendable {
        case p2pkh, p2shP2WPKH, p2wpkh

        var purpose: UInt32 {
            switch self {
            case .p2pkh: 44
            case .p2shP2WPKH: 49
            case .p2wpkh: 84
            }
        }
    }

    /// The master key.
    public let master: ExtendedPrivateKey

    /// The fingerprint that the wallet's keys go under: the master key's, unless it poses as another.
    public let fingerprint: Fingerprint

    /// The wallet of a seed of 32 equal bytes, on the test networks.
    public init(seed: UInt8) throws {
        self.init(
            master: try ExtendedPrivateKey(seed: SecretBytes([UInt8](repeating: seed, count: 32)), network: .test))
    }

    /// The wallet of a master key, such as a simulated card's.
    /// - Parameter disguise: the fingerprint that its keys are said to have; `nil` for the true one.
    public init(master: ExtendedPrivateKey, posingAs disguise: Fingerprint? = nil) {
        self.master = master
        fingerprint = disguise ?? master.neutered.fingerprint
    }

    /// `m/PURPOSEh/1h/0h`.
    public func accountPath(_ kind: Kind) throws -> DerivationPath {
        try DerivationPath(parsing: "m/\(kind.purpose)h/1h/0h")
    }

    /// The key at a path.
    public func publicKey(_ path: DerivationPath) throws -> PublicKey {
        try master.descendant(path).privateKey.publicKey
    }

    /// The extended key at a path.
    public func extendedKey(_ path: DerivationPath) throws -> ExtendedPublicKey { try master.descendant(path).neutered }

    /// The derivation of the key at a path, as a PSBT carries it.
    public func derivation(_ path: DerivationPath) throws -> KeyDerivation {
        KeyDerivation(publicKey: try publicKey(path).bytes, fingerprint: fingerprint, path: path)
    }

    /// The script that pays a key.
    public static func script(_ kind: Kind, _ key: PublicKey) -> Script {
        switch kind {
        case .p2pkh: .p2pkh(key)
        case .p2shP2WPKH: .p2sh(.p2wpkh(key))
        case .p2wpkh: .p2wpkh(key)
        }
    }

    /// A transaction that pays `amount` to `script` in its output 1, behind an output to somebody else.
    public static func funding(_ script: Script, amount: Int64, salt: UInt32) throws -> Transaction {
        let id = try #require(TransactionID([UInt8](repeating: UInt8(truncatingIfNeeded: salt), count: 32)))
        return Transaction(
            inputs: [TransactionInput(outpoint: Outpoint(transactionID: id, index: salt), scriptSig: Script([0x51]))],
            outputs: [
                TransactionOutput(value: 1_000, scriptPubKey: Script([0x00, 0x14] + [UInt8](repeating: 9, count: 20))),
                TransactionOutput(value: amount, scriptPubKey: script),
            ])
    }

    /// What a PSBT of this wallet shall be like.
    public struct Recipe: Sendable {
        /// The script types of the inputs.
        public var kinds: [Kind] = [.p2wpkh]
        /// Satoshis in each input.
        public var inputAmount: Int64 = 100_000
        /// Satoshis paid to somebody else.
        public var payment: Int64 = 50_000
        /// Satoshis of fee.
        public var fee: Int64 = 1_000
        /// Whether the previous transactions are there.
        public var hasPreviousTransactions = true
        /// Whether a change output takes the rest.
        public var hasChange = true

        /// One P2WPKH input, a payment, change and an ordinary fee.
        public init() {}
    }

    /// An unsigned PSBT: inputs at `…/0/i` of the account of their kind, change at `…/1/0` of the first kind's account. Nobody
    /// has the coins.
    public func psbt(_ recipe: Recipe = Recipe()) throws -> PSBT {
        try psbt(
            recipe,
            from: scripts(recipe).enumerated().map {
                try Self.funding($1, amount: recipe.inputAmount, salt: UInt32($0 + 1))
            })
    }

    /// The same with coins that a node has.
    public func psbt(_ recipe: Recipe = Recipe(), on node: BitcoinNode) async throws -> PSBT {
        try psbt(recipe, from: await node.fundings(of: scripts(recipe), recipe.inputAmount))
    }

    /// What the inputs of a recipe spend.
    private func scripts(_ recipe: Recipe) throws -> [Script] {
        try recipe.kinds.enumerated().map { index, kind in
            Self.script(kind, try publicKey(path(kind, branch: 0, index: UInt32(index))))
        }
    }

    private func psbt(_ recipe: Recipe, from transactions: [Transaction]) throws -> PSBT {
        let fundings = try zip(recipe.kinds, transactions).enumerated().map { index, funding in
            (path: try path(funding.0, branch: 0, index: UInt32(index)), kind: funding.0, transaction: funding.1)
        }
        let changePath = try path(recipe.kinds[0], branch: 1, index: 0)
        let change = Int64(recipe.kinds.count) * recipe.inputAmount - recipe.payment - recipe.fee
        var outputs = [
            TransactionOutput(
                value: recipe.payment, scriptPubKey: Script([0x00, 0x14] + [UInt8](repeating: 7, count: 20)))
        ]
        if recipe.hasChange {
            outputs.append(
                TransactionOutput(
                    value: change, scriptPubKey: Self.script(recipe.kinds[0], try publicKey(changePath))))
        }
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: fundings.map {
                    TransactionInput(
                        outpoint: Outpoint(transactionID: $0.transaction.id, index: 1), sequence: 0xFFFF_FFFD)
                }, outputs: outputs))
        for (index, funding) in fundings.enumerated() {
            if recipe.hasPreviousTransactions {
                psbt[input: index].nonWitnessUTXO = try PreviousTransaction(funding.transaction)
            }
            if funding.kind != .p2pkh { psbt[input: index].witnessUTXO = funding.transaction.outputs[1] }
            if funding.kind == .p2shP2WPKH { psbt[input: index].redeemScript = .p2wpkh(try publicKey(funding.path)) }
            psbt[input: index].addDerivation(try derivation(funding.path))
        }
        if recipe.hasChange {
            psbt[output: 1].addDerivation(try derivation(changePath))
            if recipe.kinds[0] == .p2shP2WPKH { psbt[output: 1].redeemScript = .p2wpkh(try publicKey(changePath)) }
        }
        return psbt
    }

    /// `accountPath/branch/index`.
    public func path(_ kind: Kind, branch: UInt32, index: UInt32) throws -> DerivationPath {
        try accountPath(kind).appending(DerivationPath(parsing: "\(branch)/\(index)"))
    }
}
