import Bitcoin
import FlowSupport
import TapManager
import TestSupport
import Testing

/// The stores that a program can give a manager.
@Suite struct LocalStoreTests {
    private func manager(_ store: LocalStore) -> CardManager {
        CardManager(store: store, clock: { UnixTime(seconds: 5) })
    }

    @Test func aFolderKeepsWhatMemoryForgets() async throws {
        let folder = try TemporaryFolder()
        func kept() throws(StoreError) -> LocalStore {
            try .file(in: folder.path("store"), clock: { UnixTime(seconds: 5) })
        }
        let text = try #require(try WalletBench().wallet.descriptors.first?.text)
        for store in [try kept(), .memory()] {
            _ = try await manager(store).addWallet(named: "w", of: .parsing([text]), network: .regtest)
        }
        #expect(try manager(kept()).wallets().map(\.name) == ["w"])
        #expect(try manager(.memory()).wallets().isEmpty)
    }

    @Test func aFileIsNoFolder() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("", to: "store")
        #expect(throws: StoreError.self) { try LocalStore.file(in: path, clock: { UnixTime(seconds: 5) }) }
    }
}
