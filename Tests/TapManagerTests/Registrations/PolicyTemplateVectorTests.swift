import Bitcoin
import TestSupport
import Testing

@testable import TapManager

/// Wallet policies as BIP-388 writes them: a template, and the keys of its placeholders.
@Suite struct PolicyTemplateVectorTests {
    private static let file = LedgeredFile.walletPolicies

    @Test func templatesAndKeysAreTheBIPs() throws {
        var ledger = try VectorLedger(Self.file)
        for row in try Vectors.load(Self.file.path) {
            ledger.enter("\(row.index)") {
                let wallet = try WatchWallet(
                    StoredWallet(
                        name: "w", network: .main, descriptors: [DescriptorText(stored: row.text("descriptor"))],
                        created: UnixTime(seconds: 0)))
                #expect(try wallet.policyTemplates == [row.text("template")])
                // What is hardened, tapkit marks with a letter.
                let keys = try #require(row["keys", as: [String].self]).map { $0.replacing("'", with: "h") }
                #expect(wallet.shownKeys.map { ($0.origin.map(\.description) ?? "") + $0.text } == keys)
            }
        }
        ledger.close(count: 9)
    }
}
