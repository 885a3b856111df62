import Bitcoin
import FlowSupport
import Foundation
import TapProtocol
import TestSupport
import Testing

@testable import TapManager

/// A store in memory with a wallet, and a folder for its kit.
struct DrillBench {
    static let start = UnixTime(seconds: 1_700_000_000)

    let store = MemoryStore()
    let folder: TemporaryFolder
    let manager: CardManager

    init(at time: UnixTime = Self.start) throws {
        folder = try TemporaryFolder()
        manager = CardManager(store: store, clock: { time })
    }

    /// The same store at another time.
    func manager(at time: UnixTime) -> CardManager { CardManager(store: store, clock: { time }) }

    /// Where the kit is.
    var kit: String { folder.path("kit") }

    /// Adds a wallet, and writes its kit.
    @discardableResult
    func written(_ descriptors: String..., name: String = "family") async throws -> OpenedWallet {
        let opened = try await manager.addWallet(named: name, of: .parsing(descriptors), network: .test).wallet
        try write(opened)
        // With what is remembered about its kit.
        return try manager.wallet(named: name)
    }

    /// Writes the kit of a wallet.
    @discardableResult
    func write(_ opened: OpenedWallet, overwriting: Bool = false) throws -> [KitFile] {
        let texts = [KitFile(.readMe, "read me\n"), KitFile(.page, "<svg/>\n")]
        return try manager.write(
            manager.kit(of: opened), of: opened, with: texts, to: kit, overwriting: overwriting)
    }

    func read() throws -> ReadKit { try ReadKit(folder: kit) }

    /// Changes a file of the kit.
    func change(_ name: KitFile.Name, _ change: (String) -> String) throws {
        let path = kit + "/" + name.rawValue
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let changed = change(text)
        #expect(changed != text)
        try changed.write(toFile: path, atomically: false, encoding: .utf8)
    }

    /// A holder's backup, opened.
    static func backup(_ holder: SampleWallet) throws -> OpenedBackup {
        try OpenedBackup(
            decrypting: Backup.encrypted(holder.master), key: Backup.Key(hex: Backup.keyText), network: nil,
            wholly: true)
    }
}
