import Bitcoin
import Testing

/// A wallet whose policy is miniscript, of which one or more holders are cards.
public struct SamplePolicy: Sendable {
    /// The expression, with a letter for each key: `A` is the first holder's at `…/<0;1>/*`, `a` the same holder's at
    /// `…/<2;3>/*`.
    public var expression: String
    /// Who `A`, `B`, … are.
    public var holders: [SampleWallet]
    /// The path of each holder's account.
    public var account = "m/48h/1h/0h/2h"
    /// Whether the PSBT carries the holders' extended keys.
    public var hasExtendedKeys = true

    /// A wallet of these holders.
    public init(_ expression: String, _ holders: [SampleWallet]) {
        self.expression = expression
        self.holders = holders
    }

    /// `wsh` of the expression, with the holders' keys.
    public func descriptor() throws -> Descriptor {
        let path = try DerivationPath(parsing: account)
        var text = ""
        for (place, part) in expression.split(separator: "#", omittingEmptySubsequences: false).enumerated() {
            guard place > 0 else {
                text += part
                continue
            }
            let letter = try #require(part.first)
            let number = Int(try #require(letter.asciiValue)) & 31 - 1
            let steps = letter.isLowercase ? "<2;3>" : "<0;1>"
            let holder = holders[number]
            text += "[\(holder.fingerprint)\(account.dropFirst())]\(try holder.extendedKey(path).text)/\(steps)/*"
            text += part.dropFirst()
        }
        return try Descriptor(parsing: "wsh(\(text))")
    }

    /// An unsigned PSBT: inputs at branch 0 and index i, a payment, change at branch 1 and index 0 of the wallet `change`,
    /// by default this one. Nobody has the coins.
    public func psbt(
        inputs count: Int = 1, change: SamplePolicy? = nil, sequence: UInt32 = 0xFFFF_FFFD
    ) throws -> PSBT {
        let descriptor = try descriptor()
        let spendings = try (0..<count).map { try descriptor.spending(branch: 0, index: UInt32($0)) }
        let fundings = try spendings.enumerated().map {
            try SampleWallet.funding($1.scriptPubKey, amount: 100_000, salt: UInt32($0 + 1))
        }
        let back = try (change?.descriptor() ?? descriptor).spending(branch: 1, index: 0)
        var psbt = try PSBT(
            unsignedTransaction: Transaction(
                inputs: fundings.map {
                    TransactionInput(outpoint: Outpoint(transactionID: $0.id, index: 1), sequence: sequence)
                },
                outputs: [
                    TransactionOutput(
                        value: 50_000, scriptPubKey: Script([0x00, 0x14] + [UInt8](repeating: 7, count: 20))),
                    TransactionOutput(value: Int64(count) * 100_000 - 51_000, scriptPubKey: back.scriptPubKey),
                ]))
        for (index, spending) in spendings.enumerated() {
            psbt[input: index].nonWitnessUTXO = try PreviousTransaction(fundings[index])
            psbt[input: index].witnessUTXO = fundings[index].outputs[1]
            psbt[input: index].witnessScript = spending.witnessScript
            for derivation in spending.derivations { psbt[input: index].addDerivation(derivation) }
        }
        psbt[output: 1].witnessScript = back.witnessScript
        for derivation in back.derivations { psbt[output: 1].addDerivation(derivation) }
        if hasExtendedKeys { try addExtendedKeys(to: &psbt) }
        return psbt
    }

    /// Adds the holders' extended keys.
    public func addExtendedKeys(to psbt: inout PSBT) throws {
        for key in try descriptor().extendedKeyDerivations { psbt.addGlobalExtendedKey(key) }
    }
}
