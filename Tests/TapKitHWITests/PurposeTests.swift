import Bitcoin
import FrontEndText
import TapManager
import TestSupport
import Testing

/// What somebody reads who is asked for a CVC, and sees nothing else of a transaction.
@Suite struct PurposeTests {
    /// A payment does not hide behind small ones, and nothing is left out as change.
    @Test func theLargestOutputsAreNamed() throws {
        let wallet = try SampleWallet(seed: 1)
        let sample = try wallet.psbt()
        let values: [Int64] = [1_000, 40_000, 2_000, 30_000, 3_000, 20_000]
        let script = Script.p2wpkh(try wallet.publicKey(DerivationPath(parsing: "m/84h/1h/0h/1/0")))
        let address = try #require(Address(scriptPubKey: script, network: .regtest))
        func purpose(_ values: [Int64], _ script: Script, on network: Network = .regtest) throws -> String? {
            var psbt = try PSBT(
                unsignedTransaction: Transaction(
                    version: 2, inputs: sample.unsignedTransaction.inputs,
                    outputs: values.map { TransactionOutput(value: $0, scriptPubKey: script) }))
            psbt[input: 0] = sample.inputs[0]
            return SigningPlanner(psbt: psbt, network: network).review().review?.purpose
        }
        #expect(
            try purpose(values, script)
                == "sign a transaction that pays 0.00040000 regtest BTC to \(address), "
                + "0.00030000 regtest BTC to \(address), 0.00020000 regtest BTC to \(address), "
                + "0.00003000 regtest BTC to \(address) and 2 more, 0.00003000 regtest BTC; "
                + "fee 0.00004000 regtest BTC")
        #expect(
            try purpose([99_000], Script([0x51]), on: .main)
                == "sign a transaction that pays 0.00099000 BTC to a script; fee 0.00001000 BTC")
    }
}
