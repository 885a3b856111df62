import Bitcoin
import Testing

/// A 2-of-3 multisig wallet, of which one or more cosigners are cards.
public struct SampleMultisig: Sendable {
    /// How the multisig script is wrapped.
    public enum Form: CaseIterable, Sendable {
        case p2wsh, p2shP2WSH, p2sh
    }

    /// How the script is wrapped.
    public let form: Form
    /// Whose keys are in it.
    public let cosigners: [SampleWallet]
    /// How many of them must sign.
    public var threshold = 2
    /// The path of each cosigner's account.
    public var account = "m/48h/1h/0h/2h"
    /// Whether the keys stand in BIP-67's order, as in `sortedmulti`, or in the cosigners', as in `multi`.
    public var isSorted = true
    /// Whether the PSBT carries the cosigners' extended keys.
    public var hasExtendedKeys = true

    /// A wallet of these cosigners.
    public init(_ form: Form, _ cosigners: [SampleWallet]) {
        self.form = form
        self.cosigners = cosigners
    }

    /// The path of a cosigner's key.
    public func path(_ branch: Int, _ index: Int) throws -> DerivationPath {
        try DerivationPath(parsing: "\(account)/\(branch)/\(index)")
    }

    /// The multisig script of an address.
    public func script(_ branch: Int, _ index: Int) throws -> Script {
        let path = try path(branch, index)
        let keys = try cosigners.map { try $0.publicKey(path) }
        return isSorted
            ? try MultisigScript(threshold: threshold, sorting: keys).script
            : try MultisigScript(threshold: threshold, keys: keys.map(\.bytes)).script
    }

    /// What is paid to.
    public func scriptPubKey(_ script: Script) -> Script {
        switch form {
        case .p2wsh: .p2wsh(script)
        case .p2shP2WSH: .p2sh(.p2wsh(script))
        case .p2sh: .p2sh(script)
        }
    }

    /// An unsigned PSBT: inputs at `…/0/i`, a payment, change at `…/1/0` of the wallet `change`, by default this one. Nobody
    /// has the coins.
    public func psbt(inputs count: Int = 1, change: SampleMultisig? = nil) throws -> PSBT {
        let fundings = try (0..<count).map {
            try SampleWallet.funding(scriptPubKey(script(0, $0)), amount: 100_000, salt: UInt32($0 + 1))
        }
        return try psbt(from: fundings, change: change ?? self)
    }

    /// The same with coins that a node has.
    public func psbt(inputs count: Int = 1, on node: BitcoinNode) async throws -> PSBT {
        let scripts = try (0..<count).map { scriptPubKey(try script(0, $0)) }
        return try psbt(from: await node.fundings(of: scripts, 100_000), change: self)
    }

    private func psbt(from fundings: [Transaction], change: SampleMultisig) throws -> PSBT {
        let count = fundings.count
        let scripts = try (0..<count).map { try script(0, $0) }
        let changeScript = try change.script(1, 0)
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: fundings.map {
                    TransactionInput(outpoint: Outpoint(transactionID: $0.id, index: 1), sequence: 0xFFFF_FFFD)
                },
                outputs: [
                    TransactionOutput(
                        value: 50_000, scriptPubKey: Script([0x00, 0x14] + [UInt8](repeating: 7, count: 20))),
                    TransactionOutput(
                        value: Int64(count) * 100_000 - 51_000, scriptPubKey: change.scriptPubKey(changeScript)),
                ]))
        for index in 0..<count {
            psbt[input: index].nonWitnessUTXO = try PreviousTransaction(fundings[index])
            if form != .p2sh {
                psbt[input: index].witnessUTXO = fundings[index].outputs[1]
                psbt[input: index].witnessScript = scripts[index]
            }
            if form == .p2shP2WSH { psbt[input: index].redeemScript = .p2wsh(scripts[index]) }
            if form == .p2sh { psbt[input: index].redeemScript = scripts[index] }
            for cosigner in cosigners { psbt[input: index].addDerivation(try cosigner.derivation(try path(0, index))) }
        }
        if change.form != .p2sh { psbt[output: 1].witnessScript = changeScript }
        if change.form == .p2shP2WSH { psbt[output: 1].redeemScript = .p2wsh(changeScript) }
        if change.form == .p2sh { psbt[output: 1].redeemScript = changeScript }
        for cosigner in change.cosigners {
            psbt[output: 1].addDerivation(try cosigner.derivation(try change.path(1, 0)))
        }
        if hasExtendedKeys { try addExtendedKeys(to: &psbt) }
        return psbt
    }

    /// Adds the cosigners' extended keys.
    public func addExtendedKeys(to psbt: inout PSBT) throws {
        let path = try DerivationPath(parsing: account)
        for cosigner in cosigners {
            psbt.addGlobalExtendedKey(
                try #require(
                    ExtendedKeyDerivation(
                        try cosigner.extendedKey(path), origin: KeyOrigin(fingerprint: cosigner.fingerprint, path: path)
                    )))
        }
    }
}
