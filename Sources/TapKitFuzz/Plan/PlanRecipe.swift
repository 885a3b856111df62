import Bitcoin

/// Builds a PSBT from choices: one as a wallet makes it, or a dishonest one.
struct PlanRecipe {
    /// How a script requires its keys.
    private enum Kind: CaseIterable {
        case p2wpkh, p2pkh, p2shP2WPKH, p2wshMultisig, p2shMultisig, p2shP2WSHMultisig, p2wshKey, foreign, p2tr

        var isMultisig: Bool {
            switch self {
            case .p2wshMultisig, .p2shMultisig, .p2shP2WSHMultisig: true
            default: false
            }
        }
    }

    /// A script with everything that a PSBT states about it.
    private struct Crafted {
        var scriptPubKey: Script
        var redeemScript: Script?
        var witnessScript: Script?
        var derivations: [KeyDerivation] = []
    }

    private var source: ByteSource

    init(_ source: ByteSource) { self.source = source }

    /// The PSBT; `nil` if the choices do not make one.
    mutating func psbt() -> PSBT? {
        let inputs = (0...source.choice(3)).map { _ in (crafted(), amount(), source.byte()) }
        let outputs = (0...source.choice(4)).map { _ in (output(), amount()) }
        let fundings = inputs.enumerated().map { index, input in
            Self.funding(input.0.scriptPubKey, value: input.1, salt: UInt8(index + 1))
        }
        let transaction = Transaction(
            version: 2,
            inputs: fundings.map {
                TransactionInput(
                    outpoint: Outpoint(transactionID: $0.id, index: 1),
                    sequence: source.pick([0xFFFF_FFFD, 0, 0xFFFF_FFFF]))
            },
            outputs: outputs.map { TransactionOutput(value: $1, scriptPubKey: $0.scriptPubKey) },
            lockTime: source.pick([0, 1, 600_000_000]))
        guard var psbt = try? PSBT(unsignedTransaction: transaction) else { return nil }
        for (index, input) in inputs.enumerated() {
            describe(&psbt, index, input.0, funding: fundings[index], choices: input.2)
        }
        for (index, output) in outputs.enumerated() {
            psbt[output: index].redeemScript = output.0.redeemScript
            psbt[output: index].witnessScript = output.0.witnessScript
            for derivation in output.0.derivations { psbt[output: index].addDerivation(derivation) }
        }
        if source.flag() { addExtendedKeys(to: &psbt) }
        return source.flag() ? try? psbt.converted(to: .v2) : psbt
    }

    // MARK: Inputs and outputs

    private mutating func describe(
        _ psbt: inout PSBT, _ index: Int, _ crafted: Crafted, funding: Transaction, choices: UInt8
    ) {
        if choices & 3 != 1 { psbt[input: index].nonWitnessUTXO = try? PreviousTransaction(funding) }
        if choices & 3 != 0 { psbt[input: index].witnessUTXO = funding.outputs[1] }
        if choices & 4 != 0, choices & 3 == 1 { psbt[input: index].witnessUTXO?.value = amount() }
        if choices & 8 != 0 {
            psbt[input: index].sighashType = SighashType(rawValue: source.pick([1, 2, 3, 0x81, 0x82, 0x83, 0, 4]))
        }
        psbt[input: index].redeemScript = crafted.redeemScript
        psbt[input: index].witnessScript = crafted.witnessScript
        for derivation in crafted.derivations { psbt[input: index].addDerivation(derivation) }
        guard choices & 16 != 0, let derivation = crafted.derivations.first else { return }
        var signature = source.sized()
        if choices & 32 != 0, let holder = PlanWallet.fingerprints.firstIndex(of: derivation.fingerprint),
            let spend = NaiveSpend(psbt, input: index)
        {
            let digest = spend.digest(psbt.unsignedTransaction, input: index, type: 1)
            let key = PlanWallet.key(holder, derivation.path).privateKey
            signature = key.sign(digest: digest).der + [1]
        }
        psbt.addPartialSignature(
            PartialSignature(publicKey: derivation.publicKey, signature: signature), toInput: index)
    }

    private mutating func output() -> Crafted {
        switch source.choice(4) {
        case 0: Crafted(scriptPubKey: Script([0x00, 0x14] + [UInt8](repeating: 7, count: 20)))
        case 1: Crafted(scriptPubKey: Script(source.sized()))
        default: crafted()
        }
    }

    /// A script of the card or of others, and what is stated about it.
    private mutating func crafted() -> Crafted {
        let kind = source.pick(Kind.allCases)
        let path = source.pick(PlanWallet.accounts).appending(
            DerivationPath(
                [source.pick([0, 1, 5]), source.pick([0, 1, 19, 2_000])].map { ChildNumber(rawValue: $0) }))
        let holders =
            kind.isMultisig ? source.pick([[0, 1, 2], [0, 1], [0, 0, 1], [1, 2]]) : [kind == .foreign ? 1 : 0]
        let keys = holders.map { PlanWallet.publicKey($0, path) }
        var crafted = script(kind, keys)
        crafted.derivations = zip(holders, keys).map { holder, key in
            KeyDerivation(publicKey: key.bytes, fingerprint: PlanWallet.fingerprints[holder], path: path)
        }
        if source.choice(4) == 3 { lie(in: &crafted) }
        return crafted
    }

    private mutating func script(_ kind: Kind, _ keys: [PublicKey]) -> Crafted {
        let threshold = kind.isMultisig ? 1 + source.choice(keys.count) : 1
        let multisig = required("keys make a multisig script") {
            try MultisigScript(threshold: threshold, sorting: keys).script
        }
        switch kind {
        case .p2wpkh, .foreign: return Crafted(scriptPubKey: .p2wpkh(keys[0]))
        case .p2pkh: return Crafted(scriptPubKey: .p2pkh(keys[0]))
        case .p2shP2WPKH: return Crafted(scriptPubKey: .p2sh(.p2wpkh(keys[0])), redeemScript: .p2wpkh(keys[0]))
        case .p2wshMultisig: return Crafted(scriptPubKey: .p2wsh(multisig), witnessScript: multisig)
        case .p2shMultisig: return Crafted(scriptPubKey: .p2sh(multisig), redeemScript: multisig)
        case .p2shP2WSHMultisig:
            return Crafted(
                scriptPubKey: .p2sh(.p2wsh(multisig)), redeemScript: .p2wsh(multisig), witnessScript: multisig)
        case .p2wshKey:
            return Crafted(scriptPubKey: .p2wsh(.p2pk(keys[0])), witnessScript: .p2pk(keys[0]))
        case .p2tr: return Crafted(scriptPubKey: Script([0x51, 32] + keys[0].bytes.dropFirst()))
        }
    }

    private mutating func lie(in crafted: inout Crafted) {
        switch source.choice(6) {
        case 0: crafted.witnessScript = Script(source.sized())
        case 1: crafted.redeemScript = Script(source.sized())
        case 2: crafted.derivations.removeAll()
        case 3:
            let path = DerivationPath((0..<source.choice(6)).map { _ in ChildNumber(rawValue: source.number()) })
            crafted.derivations = crafted.derivations.map {
                KeyDerivation(publicKey: $0.publicKey, fingerprint: $0.fingerprint, path: path)
            }
        case 4:
            let holder = source.choice(3)
            crafted.derivations = crafted.derivations.map {
                KeyDerivation(publicKey: $0.publicKey, fingerprint: PlanWallet.fingerprints[holder], path: $0.path)
            }
        default: crafted.scriptPubKey = Script(source.sized())
        }
    }

    private mutating func addExtendedKeys(to psbt: inout PSBT) {
        let path = source.pick(PlanWallet.accounts)
        for holder in 0..<3 {
            let key = PlanWallet.key(source.choice(8) == 7 ? 0 : holder, path).neutered
            let origin = KeyOrigin(fingerprint: PlanWallet.fingerprints[holder], path: path)
            guard let derivation = ExtendedKeyDerivation(key, origin: origin) else { continue }
            psbt.addGlobalExtendedKey(derivation)
        }
    }

    private mutating func amount() -> Int64 {
        let usual: [Int64] = [100_000, 50_000, 49_000, 1_000, 0, 546, 2_100_000_000_000_000, -1, .max]
        return source.flag() ? usual[source.choice(usual.count)] : Int64(source.number())
    }

    private static func funding(_ script: Script, value: Int64, salt: UInt8) -> Transaction {
        let id = required(TransactionID([UInt8](repeating: salt, count: 32)), "32 bytes are an id")
        return Transaction(
            inputs: [TransactionInput(outpoint: Outpoint(transactionID: id, index: 0), scriptSig: Script([0x51]))],
            outputs: [
                TransactionOutput(value: 1_000, scriptPubKey: Script([0x00, 0x14] + [UInt8](repeating: 9, count: 20))),
                TransactionOutput(value: value, scriptPubKey: script),
            ])
    }
}
