import CardReaders
import Foundation
import SmartCard
import Synchronization
import TapSimulator
import TestSupport

/// A PN532, or another chip of its family, on a pseudo-terminal behind the real libnfc.
final class NFCBench: MortalBench {
    let reader: any CardReader
    private let folder: TemporaryFolder
    private let edition: PN532Edition
    /// `nil` while the reader is unplugged.
    private let server: Mutex<PN532Server?>

    init(_ edition: PN532Edition = .pn532) throws {
        self.edition = edition
        folder = try TemporaryFolder()
        server = Mutex(try Self.start(edition, folder))
        reader = NFCReader(try Self.connection(folder))
    }

    deinit { killBackend() }

    /// The chip, for what only it can do.
    var chip: PN532Server? { server.withLock { $0 } }

    func freshReader() throws -> any CardReader { NFCReader(try Self.connection(folder)) }

    func insertCard(_ answer: @escaping @Sendable ([UInt8]) -> CardReply) throws {
        chip?.insert(ScriptedTarget(answer))
    }

    func removeCard() throws { chip?.pull() }

    func after(_ delay: Duration, _ action: CardAction) throws {
        Thread.detachNewThread { [chip] in
            Thread.sleep(forTimeInterval: delay / .seconds(1))
            switch action {
            case .insert: chip?.insert(ScriptedTarget(ScriptedCard.agree))
            case .remove: chip?.pull()
            }
        }
    }

    /// Nobody else can have the reader.
    func resetFromOutside() throws {}

    func events() -> AsyncStream<ReaderEvent> { (reader as? NFCReader)?.events() ?? AsyncStream { $0.finish() } }

    func killBackend() {
        server.withLock { server in
            server?.stop()
            server = nil
        }
    }

    func startBackend() throws {
        let new = try Self.start(edition, folder)
        server.withLock { $0 = new }
    }

    private static func connection(_ folder: TemporaryFolder) throws -> NFCConnectionString {
        struct BadFolder: Error {}
        guard let connection = NFCConnectionString("pn532_uart:" + folder.path("port")) else { throw BadFolder() }
        return connection
    }

    private static func start(_ edition: PN532Edition, _ folder: TemporaryFolder) throws -> PN532Server {
        let server = try PN532Server(
            edition, target: ScriptedTarget(ScriptedCard.agree), link: folder.path("port"))
        server.pull()
        Thread.detachNewThread { server.run() }
        try awaitFormerHolder(of: folder)
        return server
    }

    /// The port may have the number of one that another bench gave back before its reader let go of it.
    private static func awaitFormerHolder(of folder: TemporaryFolder) throws {
        for path in try connection(folder).lockFiles {
            let descriptor = open(path, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            let deadline = ContinuousClock.now.advanced(by: .seconds(60))
            while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                guard ContinuousClock.now < deadline else { throw POSIXError(.EBUSY) }
                usleep(10_000)
            }
        }
    }
}

/// A scripted card in the chip's field.
final class ScriptedTarget: PN532Target {
    let identifier: [UInt8] = [0x04, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66]
    let historicalBytes = Array("Coinkite".utf8)
    private let script: @Sendable ([UInt8]) -> CardReply

    init(_ script: @escaping @Sendable ([UInt8]) -> CardReply) { self.script = script }

    func powerOn() {}
    func powerOff() {}

    func answer(apdu: [UInt8]) -> [UInt8]? {
        switch script(apdu) {
        case .answer(let bytes): bytes
        case .vanish: nil
        }
    }
}
