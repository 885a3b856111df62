import Bitcoin
import Testing

@testable import ChainData

@Suite struct ChainCoinTests {
    @Test(arguments: [
        (UInt8(0), UInt32.max, 1, true), (1, .max, 1, false), (0, 0, 1, false), (0, .max, 2, false),
        (0, .max, 0, false),
    ])
    func knowsWhatIsNewlyMined(_ byte: UInt8, _ index: UInt32, _ inputs: Int, _ expected: Bool) throws {
        let previous = try #require(TransactionID([UInt8](repeating: byte, count: 32)))
        let input = TransactionInput(outpoint: Outpoint(transactionID: previous, index: index))
        let output = TransactionOutput(amount: .zero, scriptPubKey: Script([0x51]))
        let transaction = Transaction(inputs: Array(repeating: input, count: inputs), outputs: [output])
        let claim = UnspentClaim(
            outpoint: Outpoint(transactionID: transaction.id, index: 0), amount: .zero, height: 1)
        let coin = try ChainCoin(proving: claim, script: Script([0x51]), by: transaction)
        #expect(coin.isCoinbase == expected)
    }

    @Test func isNotProvenByAnotherTransaction() throws {
        let (sample, other) = (Sample(), Sample("other"))
        let amount = try #require(Amount(satoshis: 5_000))
        let claim = UnspentClaim(
            outpoint: Outpoint(transactionID: sample.id, index: 0), amount: amount, height: nil)
        #expect(try ChainCoin(proving: claim, script: sample.script, by: sample.transaction).amount == amount)
        #expect(throws: ChainError.liar("it sent a different transaction for \(sample.id):0")) {
            try ChainCoin(proving: claim, script: sample.script, by: other.transaction)
        }
    }
}
