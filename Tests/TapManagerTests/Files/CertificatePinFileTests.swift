import Bitcoin
import ChainData
import Foundation
import Synchronization
import TapManager
import TestSupport
import Testing

/// How servers are known, in a file that several processes write.
@Suite struct CertificatePinFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var pins: CertificatePinFile { CertificatePinFile(folder: folder.path("data")) }

    private func pin(_ number: UInt8) throws -> ServerTrust {
        .pinned(try #require(CertificateFingerprint(SHA256.hash([number]))))
    }

    @Test func whatIsKeptIsReadAgain() throws {
        #expect(try pins.trust(in: "a:1") == nil)
        for trust in [ServerTrust.plain, try pin(1), .authority] {
            try pins.save(trust, in: "a:1")
            #expect(try pins.trust(in: "a:1") == trust)
            #expect(try pins.trust(in: "a:2") == nil)
        }
    }

    /// Two processes connect at once, and only one of them reached the server itself.
    @Test func whatAnotherProcessFoundOutIsNotLowered() throws {
        try pins.save(.authority, in: "a:1")
        for lower in [ServerTrust.plain, try pin(1)] {
            #expect(throws: CertificatePinFile.Lowered.self) { try pins.save(lower, in: "a:1") }
        }
        try pins.save(try pin(1), in: "b:1")
        #expect(throws: CertificatePinFile.Lowered.self) { try pins.save(try pin(2), in: "b:1") }
        #expect(try pins.trust(in: "a:1") == .authority && pins.trust(in: "b:1") == pin(1))
    }

    /// A file of an earlier release holds fingerprints alone; one that says something else is none.
    @Test func earlierFilesAreRead() throws {
        try pins.save(try pin(1), in: "a:1")
        let path = folder.path("data/\(CertificatePinFile.name)")
        let texts = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: URL(filePath: path)))
        #expect(texts == ["a:1": try pin(1).description])
        try JSONEncoder().encode(["a:1": "trusted"]).write(to: URL(filePath: path))
        #expect(throws: CertificatePinFile.Unreadable.self) { try pins.trust(in: "a:1") }
        #expect(throws: CertificatePinFile.Unreadable.self) { try pins.save(.authority, in: "a:1") }
    }

    /// What others may write, or lead elsewhere, is believed by nobody, like the rest of the store.
    @Test(arguments: ["", ".lock"]) func whatOthersMayHaveWrittenIsRefused(_ ending: String) throws {
        let path = folder.path("data/\(CertificatePinFile.name)\(ending)")
        let requireUnsafe = { (reason: String) in
            let expected = StoreError.unsafe(path: path, reason: reason)
            #expect(throws: expected) { try pins.save(.authority, in: "b:1") }
            if ending.isEmpty { #expect(throws: expected) { try pins.trust(in: "a:1") } }
        }
        try pins.save(try pin(1), in: "a:1")
        #expect(chmod(path, 0o666) == 0)
        requireUnsafe("others can write to it")
        #expect(chmod(path, 0o600) == 0)
        #expect(rename(path, path + ".moved") == 0 && symlink(path + ".moved", path) == 0)
        requireUnsafe("it is not a regular file")
        #expect(unlink(path) == 0 && rename(path + ".moved", path) == 0)
        try pins.save(.authority, in: "b:1")
        #expect(try pins.trust(in: "a:1") == pin(1))
    }

    /// Only a certificate of the server's own making is worth a word.
    @Test func theFirstUseIsTold() throws {
        let told = Mutex<[String]>([])
        let pins = CertificatePinFile(folder: folder.path("data")) { server, _ in told.withLock { $0.append(server) } }
        try pins.save(.plain, in: "a:1")
        try pins.save(.authority, in: "b:1")
        try pins.save(try pin(1), in: "c:1")
        #expect(told.withLock { $0 } == ["c:1"])
    }
}
