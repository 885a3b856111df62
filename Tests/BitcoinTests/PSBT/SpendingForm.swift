import Bitcoin
import Testing

/// A kind of output that a finalizer knows, with keys made of small numbers.
enum SpendingForm: CaseIterable {
    case p2pk, p2pkUncompressed, p2pkh, p2pkhUncompressed, bareMultisig
    case p2shP2PK, p2shP2PKH, p2shMultisig
    case p2wpkh, p2shP2WPKH
    case p2wshP2PK, p2wshP2PKH, p2wshMultisig
    case p2shP2WSHP2PK, p2shP2WSHP2PKH, p2shP2WSHMultisig

    /// The private keys: 1, or 1…3 for a multisig of two.
    func keys() throws -> [PrivateKey] {
        try (1...(isMultisig ? 3 : 1)).map { number in
            try PrivateKey(SecretBytes([UInt8](repeating: 0, count: 31) + [UInt8(number)]))
        }
    }

    var isMultisig: Bool {
        switch self {
        case .bareMultisig, .p2shMultisig, .p2wshMultisig, .p2shP2WSHMultisig: true
        default: false
        }
    }

    var isLegacy: Bool {
        switch self {
        case .p2pk, .p2pkUncompressed, .p2pkh, .p2pkhUncompressed, .bareMultisig, .p2shP2PK, .p2shP2PKH, .p2shMultisig:
            true
        default: false
        }
    }

    /// The encoding of a key in this form's scripts.
    func encoding(_ key: PrivateKey) -> [UInt8] {
        switch self {
        case .p2pkUncompressed, .p2pkhUncompressed: key.publicKey.uncompressedBytes
        default: key.publicKey.bytes
        }
    }

    /// The script that is executed, but for P2WPKH its program.
    func innerScript() throws -> Script {
        let keys = try keys()
        let encoding = encoding(keys[0])
        switch self {
        case .p2pk, .p2pkUncompressed, .p2shP2PK, .p2wshP2PK, .p2shP2WSHP2PK:
            return Script([UInt8(encoding.count)] + encoding + [Opcode.checkSignature.rawValue])
        case .p2pkh, .p2pkhUncompressed, .p2shP2PKH, .p2wshP2PKH, .p2shP2WSHP2PKH:
            return try #require(Script.p2pkh(keyHash: Hash160.hash(encoding)))
        case .p2wpkh, .p2shP2WPKH: return .p2wpkh(keys[0].publicKey)
        case .bareMultisig, .p2shMultisig, .p2wshMultisig, .p2shP2WSHMultisig:
            return try MultisigScript(threshold: 2, keys: keys.map { self.encoding($0) }).script
        }
    }

    /// The locking script and the scripts that open it.
    func scripts() throws -> (output: Script, redeem: Script?, witness: Script?) {
        let inner = try innerScript()
        switch self {
        case .p2pk, .p2pkUncompressed, .p2pkh, .p2pkhUncompressed, .bareMultisig, .p2wpkh: return (inner, nil, nil)
        case .p2shP2PK, .p2shP2PKH, .p2shMultisig, .p2shP2WPKH: return (.p2sh(inner), inner, nil)
        case .p2wshP2PK, .p2wshP2PKH, .p2wshMultisig: return (.p2wsh(inner), nil, inner)
        case .p2shP2WSHP2PK, .p2shP2WSHP2PKH, .p2shP2WSHMultisig:
            return (.p2sh(.p2wsh(inner)), .p2wsh(inner), inner)
        }
    }

    /// A PSBT that spends one output of each form, with everything but signatures; its lock time is a height that tests' nodes
    /// have.
    static func unsignedPSBT(_ forms: [SpendingForm] = Array(allCases)) throws -> PSBT {
        let funding = Transaction(
            inputs: [TransactionInput(outpoint: FaultyRecord.transaction.inputs[0].outpoint)],
            outputs: try forms.enumerated().map {
                TransactionOutput(value: Int64(10_000 + $0.offset), scriptPubKey: try $0.element.scripts().output)
            })
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: forms.indices.map { index in
                    TransactionInput(
                        outpoint: Outpoint(transactionID: funding.id, index: UInt32(index)), sequence: 0xFFFF_FFFD)
                },
                outputs: [
                    TransactionOutput(value: 5_000, scriptPubKey: try p2wpkh.scripts().output),
                    TransactionOutput(value: 6_000, scriptPubKey: try p2pkh.scripts().output),
                ], lockTime: 100))
        for (index, form) in forms.enumerated() {
            let scripts = try form.scripts()
            psbt[input: index].redeemScript = scripts.redeem
            psbt[input: index].witnessScript = scripts.witness
            if form.isLegacy {
                psbt[input: index].nonWitnessUTXO = try PreviousTransaction(funding)
            } else {
                psbt[input: index].witnessUTXO = funding.outputs[index]
            }
            for key in try form.keys() {
                psbt[input: index].addDerivation(
                    KeyDerivation(publicKey: form.encoding(key), fingerprint: .zero, path: DerivationPath()))
            }
        }
        return psbt
    }
}

extension PSBT {
    /// Adds the signature of a key to an input.
    mutating func sign(_ index: Int, as form: SpendingForm, with key: PrivateKey, _ type: SighashType = .all) throws {
        let digest = try spending(ofInput: index).digest(type, using: SighashCache(unsignedTransaction))
        addPartialSignature(
            PartialSignature(
                publicKey: form.encoding(key), signature: key.sign(digest: digest).der + [try #require(type.byte)]),
            toInput: index)
    }
}
