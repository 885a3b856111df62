import Bitcoin
import FlowSupport
import TestSupport
import Testing

@testable import TapManager

extension StoreConformance {
    /// Registrations belong to one wallet, one for each account, in the order of time; they go with it.
    @Test(arguments: StoreKind.allCases) func registrationsBelongToAWallet(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.store
        func wallet(_ name: String, _ created: Int64 = 1) throws -> StoredWallet {
            let text = try SamplePolicy("multi(2,#A,#B)", [1, 2].map { try SampleWallet(seed: $0) }).descriptor()
            return StoredWallet(
                name: name, network: .test, descriptors: [try #require(DescriptorText(text))],
                created: UnixTime(seconds: created))
        }
        func registration(_ holder: UInt8, _ path: String, _ byte: UInt8, at time: Int64) throws -> StoredRegistration {
            StoredRegistration(
                account: KeyOrigin(
                    fingerprint: try SampleWallet(seed: holder).fingerprint, path: try DerivationPath(parsing: path)),
                bytes: [UInt8](repeating: byte, count: 81), created: UnixTime(seconds: time))
        }
        let (one, two) = (try wallet("one"), try wallet("two"))
        for wallet in [one, two] { try store.add(wallet) }
        let first = try registration(1, "m/48h/1h/0h/2h", 1, at: 5)
        let second = try registration(2, "m/48h/1h/0h/2h", 2, at: 4)
        let again = try registration(1, "m/48h/1h/0h/2h", 3, at: 6)
        for registration in [first, second, again] { try store.add(registration, to: one) }
        var expected = one
        expected.registrations = [second, again]
        #expect(try store.wallets() == [expected, two])
        // One of the same name that was added since is another wallet.
        #expect(throws: StoreError.noSuchWallet("one")) { try store.add(first, to: try wallet("one", 2)) }
        #expect(throws: StoreError.noSuchWallet("three")) { try store.add(first, to: try wallet("three")) }
        // Replaced with a wallet that has others.
        expected.registrations = [first]
        try store.save(expected)
        #expect(try store.wallets() == [expected, two])
        #expect(try store.deleteWallet(named: "one"))
        try store.add(one)
        #expect(try store.wallets() == [one, two])
    }
}
