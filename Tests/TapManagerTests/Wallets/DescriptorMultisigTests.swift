import Bitcoin
import TestSupport
import Testing

@testable import TapManager

@Suite struct DescriptorMultisigTests {
    /// How many of how many keys sign, whatever the script is behind; nothing where one is enough.
    @Test(arguments: [
        ("multi(2,A,B,C)", "2 of 3"), ("sh(sortedmulti(1,A,B))", "1 of 2"), ("wsh(sortedmulti(2,A,B,C))", "2 of 3"),
        ("sh(wsh(multi(3,A,B,C)))", "3 of 3"), ("wpkh(A)", nil), ("sh(wpkh(A))", nil), ("tr(A,pk(B))", nil),
    ])
    func howManyMustSign(_ text: String, _ words: String?) throws {
        var keys: [Character: String] = [:]
        for (seed, name) in "ABC".enumerated() {
            let wallet = try SampleWallet(seed: UInt8(seed + 1))
            keys[name] = "\(try wallet.extendedKey(wallet.accountPath(.p2wpkh)).text)/0/*"
        }
        let text = text.map { keys[$0] ?? String($0) }.joined()
        let multisig = try Descriptor(parsing: text).multisig
        #expect(multisig.map { "\($0.threshold) of \($0.keyCount)" } == words)
    }
}
