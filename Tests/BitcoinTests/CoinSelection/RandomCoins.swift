import TestSupport
import Testing

@testable import Bitcoin

/// Coins, payments and rates as they come, from a seeded generator.
struct RandomCoins {
    /// What signing adds to each kind of input: P2WPKH, P2SH-P2WPKH, P2PKH, 2-of-3 in P2WSH and in P2SH, 3-of-5 in P2SH, P2TR.
    static let kinds: [(weight: Int, hasWitness: Bool)] = [
        (107, true), (199, true), (424, false), (253, true), (1_008, false), (1_576, false), (66, true),
    ]

    let candidates: [CoinCandidate]
    let selector: CoinSelector

    /// A P2WPKH script of equal bytes.
    static func script(_ byte: UInt8) -> Script { Script([0, 20] + [UInt8](repeating: byte, count: 20)) }

    init(_ generator: inout SeededGenerator, mostCoins: Int = 60, required: Bool = true) throws {
        let count = Int.random(in: 1...mostCoins, using: &generator)
        let isMixed = Bool.random(using: &generator)
        let only = try #require(Self.kinds.randomElement(using: &generator))
        var candidates: [CoinCandidate] = []
        for _ in 0..<count {
            let kind = isMixed ? try #require(Self.kinds.randomElement(using: &generator)) : only
            let satoshis =
                Int64.random(in: 1...10_000_000, using: &generator) >> Int64.random(in: 0...16, using: &generator)
            candidates.append(
                CoinCandidate(
                    amount: try #require(Amount(satoshis: satoshis)), satisfactionWeight: kind.weight,
                    hasWitness: kind.hasWitness, isConfirmed: Int.random(in: 0..<4, using: &generator) > 0,
                    isRequired: required && Int.random(in: 0..<20, using: &generator) == 0))
        }
        self.candidates = candidates
        let sum = candidates.reduce(0) { $0 + $1.amount.satoshis }
        let paymentCount = Int.random(in: 1...3, using: &generator)
        let rate = try #require(
            FeeRate(
                satoshisPerKiloVirtualByte: Int64.random(in: 1_000...200_000, using: &generator)
                    >> Int64.random(in: 0...8, using: &generator)))
        selector = CoinSelector(
            payments: try (0..<paymentCount).map { number in
                let part = Int64.random(in: 0...max(1, sum * 6 / 5 / Int64(paymentCount)), using: &generator)
                return TransactionOutput(
                    amount: try #require(Amount(satoshis: 600 + part)), scriptPubKey: Self.script(UInt8(number + 1)))
            },
            changeScript: Self.script(99), changeSatisfactionWeight: 107, feeDemand: .rate(rate),
            longTermFeeRate: try #require(
                FeeRate(satoshisPerKiloVirtualByte: Int64.random(in: 1_000...30_000, using: &generator))))
    }

    /// The transaction of a choice, its inputs filled with as many bytes as signing will add.
    func transaction(_ selection: CoinSelection) throws -> Transaction {
        var outputs = selector.payments
        if let change = selection.change {
            outputs.append(TransactionOutput(amount: change, scriptPubKey: selector.changeScript))
        }
        let outpoint = Outpoint(
            transactionID: try #require(TransactionID([UInt8](repeating: 1, count: 32))), index: 0)
        let inputs = selection.indices.map { index in
            let added = candidates[index].inputWeight - 164
            guard !candidates[index].hasWitness else {
                // One byte for the number of items, one or three for the length of the only one; nested forms have a scriptSig.
                let scriptSig = added == 199 ? 23 : 0
                let rest = added - 4 * scriptSig - 1
                let item = rest <= 253 ? rest - 1 : rest - 3
                return TransactionInput(
                    outpoint: outpoint, scriptSig: Script([UInt8](repeating: 1, count: scriptSig)),
                    witness: [[UInt8](repeating: 2, count: item)])
            }
            let length = added / 4
            return TransactionInput(
                outpoint: outpoint,
                scriptSig: Script([UInt8](repeating: 1, count: length <= 252 ? length : length - 2)))
        }
        return Transaction(inputs: inputs, outputs: outputs)
    }
}
