import Bitcoin
import Testing

/// A script put together key by key, each with what a PSBT says of it: what nobody's wallet makes, but anybody can write.
public struct CraftedScript: Sendable {
    /// One key.
    public struct Seat: Sendable {
        /// Whose key it is.
        public var holder: SampleWallet
        /// Where it really stands.
        public var path: DerivationPath
        /// Whose it is said to be; `nil`: nothing is said.
        public var name: Fingerprint?
        /// Where it is said to stand.
        public var namedPath: DerivationPath

        /// A key of which the truth is told.
        public init(_ holder: SampleWallet, _ path: DerivationPath) {
            (self.holder, self.path, name, namedPath) = (holder, path, holder.fingerprint, path)
        }
    }

    /// How the keys are put together.
    public enum Form: Sendable, Hashable {
        case multisig(SampleMultisig.Form)
        case single(SampleWallet.Kind)
        case policy(CraftedPolicy)
    }

    /// How the keys are put together.
    public var form: Form
    /// How many signatures a multisig needs, or the keys of a policy that are together.
    public var threshold: Int
    /// The keys.
    public var seats: [Seat]
    /// Whether a multisig's keys stand in BIP-67's order.
    public var isSorted = true

    /// A script from its parts.
    public init(_ form: Form, threshold: Int, _ seats: [Seat]) {
        (self.form, self.threshold, self.seats) = (form, threshold, seats)
    }

    /// The scripts: what is paid to, and what opens it.
    public func scripts() throws -> (scriptPubKey: Script, redeem: Script?, witness: Script?) {
        let keys = try seats.map { try $0.holder.publicKey($0.path) }
        switch form {
        case .single(let kind):
            let key = try #require(keys.first)
            return (SampleWallet.script(kind, key), kind == .p2shP2WPKH ? .p2wpkh(key) : nil, nil)
        case .multisig(let form):
            let script =
                isSorted
                ? try MultisigScript(threshold: threshold, sorting: keys).script
                : try MultisigScript(threshold: threshold, keys: keys.map(\.bytes)).script
            return switch form {
            case .p2sh: (.p2sh(script), script, nil)
            case .p2wsh: (.p2wsh(script), nil, script)
            case .p2shP2WSH: (.p2sh(.p2wsh(script)), .p2wsh(script), script)
            }
        case .policy(let policy):
            let texts = keys.map { "\($0)" }
            let descriptor = try Descriptor(parsing: "wsh(\(policy.expression(threshold: threshold, texts)))")
            let script = try #require(try descriptor.spending().witnessScript)
            return policy.isNested
                ? (.p2sh(.p2wsh(script)), .p2wsh(script), script) : (.p2wsh(script), nil, script)
        }
    }

    /// What the PSBT says of its keys.
    public func derivations() throws -> [KeyDerivation] {
        try seats.compactMap { seat in
            guard let name = seat.name else { return nil }
            return KeyDerivation(
                publicKey: try seat.holder.publicKey(seat.path).bytes, fingerprint: name, path: seat.namedPath)
        }
    }
}

/// A PSBT of crafted scripts.
public struct CraftedPSBT: Sendable {
    /// What is spent, with satoshis.
    public var inputs: [(script: CraftedScript, amount: Int64)] = []
    /// What is paid to scripts of which something is said, with satoshis.
    public var outputs: [(script: CraftedScript, amount: Int64)] = []
    /// Satoshis paid to somebody else, in the first output.
    public var payment: Int64 = 50_000
    /// Extended keys with the origins that they are said to have.
    public var extendedKeys: [(key: ExtendedPublicKey, origin: KeyOrigin)] = []

    /// Nothing yet.
    public init() {}

    /// The PSBT: previous transactions are there and true.
    public func psbt() throws -> PSBT {
        // Made once: each derives all its keys.
        let (spent, paid) = (try inputs.map { try $0.script.scripts() }, try outputs.map { try $0.script.scripts() })
        let fundings = try zip(inputs, spent).enumerated().map { index, input in
            try SampleWallet.funding(input.1.scriptPubKey, amount: input.0.amount, salt: UInt32(index + 1))
        }
        let payment = TransactionOutput(
            value: payment, scriptPubKey: Script([0x00, 0x14] + [UInt8](repeating: 7, count: 20)))
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: fundings.map {
                    TransactionInput(outpoint: Outpoint(transactionID: $0.id, index: 1), sequence: 0xFFFF_FFFD)
                },
                outputs: [payment]
                    + zip(outputs, paid).map { TransactionOutput(value: $0.amount, scriptPubKey: $1.scriptPubKey) }))
        for (index, input) in inputs.enumerated() {
            let scripts = spent[index]
            psbt[input: index].nonWitnessUTXO = try PreviousTransaction(fundings[index])
            psbt[input: index].redeemScript = scripts.redeem
            psbt[input: index].witnessScript = scripts.witness
            for derivation in try input.script.derivations() { psbt[input: index].addDerivation(derivation) }
        }
        for (index, output) in outputs.enumerated() {
            let scripts = paid[index]
            psbt[output: index + 1].redeemScript = scripts.redeem
            psbt[output: index + 1].witnessScript = scripts.witness
            for derivation in try output.script.derivations() { psbt[output: index + 1].addDerivation(derivation) }
        }
        for (key, origin) in extendedKeys {
            psbt.addGlobalExtendedKey(try #require(ExtendedKeyDerivation(key, origin: origin)))
        }
        return psbt
    }
}
