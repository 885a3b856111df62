import Bitcoin
import FlowSupport
import TestSupport
import Testing

@testable import TapManager

extension StoreConformance {
    /// Kits and proofs belong to one wallet, the latest of each kit and path; they go with it.
    @Test(arguments: StoreKind.allCases) func drillsBelongToAWallet(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.store
        let one = StoredWallet(name: "one", network: .test, descriptors: ["d"], created: 1)
        let two = StoredWallet(name: "two", network: .test, descriptors: ["e"], created: 1)
        for wallet in [one, two] { try store.add(wallet) }
        let (first, second) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        try store.noteKit(first, of: one, at: 5)
        try store.noteKit(second, of: one, at: 6)
        try store.noteKit(first, of: one, at: 7)
        try store.noteRehearsal(of: one, paths: [1, 3], at: 8)
        try store.noteRehearsal(of: one, paths: [3, 4], at: 9)
        try store.noteRehearsal(of: one, paths: [], at: 10)
        var expected = one
        expected.drill = WalletDrill(kits: [first: 7, second: 6], proven: [1: 8, 3: 9, 4: 9])
        #expect(try bench.store.wallets() == [expected, two])
        #expect(expected.drill.kitWritten == 7 && expected.drill.oldestProof == 8)
        // One of the same name that was added since is another wallet.
        let other = StoredWallet(name: "one", network: .test, descriptors: ["d"], created: 2)
        #expect(throws: StoreError.noSuchWallet("one")) { try store.noteKit(first, of: other, at: 9) }
        #expect(throws: StoreError.noSuchWallet("one")) { try store.noteRehearsal(of: other, paths: [1], at: 9) }
        // Replaced with a wallet that has another.
        expected.drill = WalletDrill(kits: [second: 1], proven: [2: 1])
        try store.save(expected)
        #expect(try bench.store.wallets() == [expected, two])
        #expect(try store.deleteWallet(named: "one"))
        try store.add(one)
        #expect(try bench.store.wallets() == [one, two])
    }
}
