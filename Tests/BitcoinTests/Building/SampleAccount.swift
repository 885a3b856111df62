import Bitcoin
import ByteCodec
import TestSupport
import Testing

/// A descriptor wallet with its private keys, for building and signing.
struct SampleAccount {
    /// The kinds of wallet that are built for.
    enum Kind: CaseIterable {
        case p2pkh, p2shP2WPKH, p2wpkh, p2wshMulti, p2shP2WSHMulti, p2shMulti, p2tr, p2trTree

        var isMultisig: Bool { self == .p2wshMulti || self == .p2shP2WSHMulti || self == .p2shMulti }
        var isLegacy: Bool { self == .p2pkh || self == .p2shMulti }
        var isTaproot: Bool { self == .p2tr || self == .p2trTree }
    }

    let kind: Kind
    let masters: [ExtendedPrivateKey]
    let descriptor: Descriptor

    init(_ kind: Kind) throws {
        self.kind = kind
        let isSingle = !kind.isMultisig && kind != .p2trTree
        masters = try (1...(isSingle ? 1 : 3)).map { seed in
            try ExtendedPrivateKey(
                seed: SecretBytes([UInt8](repeating: UInt8(seed), count: 32)), network: .test)
        }
        let path = try DerivationPath(parsing: isSingle ? "m/84h/1h/0h" : "m/48h/1h/0h/2h")
        let keys = try masters.map { master in
            let origin = KeyOrigin(fingerprint: master.neutered.fingerprint, path: path)
            return "\(origin)\(try master.descendant(path).neutered.text)/<0;1>/*"
        }
        let list = keys.joined(separator: ",")
        let text =
            switch kind {
            case .p2pkh: "pkh(\(keys[0]))"
            case .p2shP2WPKH: "sh(wpkh(\(keys[0])))"
            case .p2wpkh: "wpkh(\(keys[0]))"
            case .p2wshMulti: "wsh(sortedmulti(2,\(list)))"
            case .p2shP2WSHMulti: "sh(wsh(sortedmulti(2,\(list))))"
            case .p2shMulti: "sh(sortedmulti(2,\(list)))"
            case .p2tr: "tr(\(keys[0]))"
            case .p2trTree: "tr(\(keys[0]),{pk(\(keys[1])),multi_a(2,\(keys[0]),\(keys[2]))})"
            }
        descriptor = try Descriptor(parsing: text)
    }

    /// Coins at `…/0/i` with these amounts, and the transactions that made them.
    func coins(_ amounts: [Int64]) throws -> (coins: [Coin], previous: [PreviousTransaction]) {
        let receive = try descriptor.derivingBranch(0)
        var coins: [Coin] = []
        var previous: [PreviousTransaction] = []
        for (index, satoshis) in amounts.enumerated() {
            let spending = try receive.spending(index: UInt32(index))
            let funding = try SampleWallet.funding(
                spending.scriptPubKey, amount: satoshis, salt: UInt32(index + 1))
            coins.append(
                Coin(
                    outpoint: Outpoint(transactionID: funding.id, index: 1),
                    amount: try #require(Amount(satoshis: satoshis)), spending: spending))
            previous.append(try PreviousTransaction(funding))
        }
        return (coins, previous)
    }

    /// The change output at `…/1/index`.
    func change(_ index: UInt32 = 0) throws -> SpendingInformation {
        try descriptor.spending(branch: 1, index: index)
    }

    /// Signs every input with the keys that its derivations name, as many as are needed, with low R and S.
    /// - Returns: by how many weight units signatures are lighter than the usual ones: one in 256 is a byte shorter.
    func sign(_ psbt: inout PSBT) throws -> Int {
        let cache = SighashCache(psbt.unsignedTransaction)
        var lighter = 0
        for index in psbt.inputs.indices {
            let spending = try psbt.spending(ofInput: index)
            let digest = try spending.digest(.all, using: cache)
            for derivation in psbt.inputs[index].derivations.prefix(kind.isMultisig ? 2 : 1) {
                let master = try #require(masters.first { $0.neutered.fingerprint == derivation.fingerprint })
                let key = try master.descendant(derivation.path).privateKey
                #expect(key.publicKey.bytes == derivation.publicKey)
                let signature = key.signGrindingLowR(digest: digest).der + [1]
                lighter += (71 - signature.count) * (spending.script.signatureRules == .legacy ? 4 : 1)
                psbt.addPartialSignature(
                    PartialSignature(publicKey: derivation.publicKey, signature: signature), toInput: index)
            }
        }
        return lighter
    }
}
