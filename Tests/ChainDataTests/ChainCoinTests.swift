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
        let coin = ChainCoin(
            outpoint: Outpoint(transactionID: transaction.id, index: 0), output: output, amount: .zero,
            transaction: transaction, height: 1)
        #expect(coin.isCoinbase == expected)
    }
}
