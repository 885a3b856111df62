import ChainData
import FoundationEssentials
import Glibc

/// How chain servers are known, in a file next to the local store: one JSON object that maps each server
/// (`CertificatePins`) to `authority`, `plain`, or the SHA-256 of its certificate in hexadecimal.
package struct CertificatePinFile: CertificatePins {
    /// The file's name in the store's folder.
    package static let name = "servers.json"
    private static let sizeLimit = 1 << 20

    private let folder: String
    private let onFirstUse: @Sendable (String, CertificateFingerprint) -> Void

    /// The file exists, but has nothing that can be trusted.
    package struct Unreadable: Error, Sendable, CustomStringConvertible {
        /// The file.
        package let path: String
        /// What is wrong with it.
        package var description: String { "\(path) is not a list of certificates: move it away to start over" }
    }

    /// Another process learned more about a server in the meantime.
    package struct Lowered: Error, Sendable, CustomStringConvertible {
        /// The server, by the name that `CertificatePins` gives it.
        package let server: String
        /// What happened.
        package var description: String { "\(server) was verified more strictly in the meantime: connect again" }
    }

    /// - Parameters:
    ///   - folder: the store's folder; created at the first use.
    ///   - onFirstUse: called with each server whose own certificate is remembered from now on.
    package init(
        folder: String, onFirstUse: @escaping @Sendable (String, CertificateFingerprint) -> Void = { _, _ in }
    ) {
        self.folder = folder
        self.onFirstUse = onFirstUse
    }

    /// How the server was last known; `nil` if it was never contacted, or there is no file yet.
    /// - Throws: `Unreadable`, `StoreError`.
    package func trust(in server: String) throws -> ServerTrust? {
        guard let files = try StoreFiles(existing: folder) else { return nil }
        let path = files.folder + "/" + Self.name
        guard let text = try texts(path)[server] else { return nil }
        guard let trust = ServerTrust(parsing: text) else { throw Unreadable(path: path) }
        return trust
    }

    /// Remembers how the server is known, unless that is less than before; no other process writes at the same time.
    /// - Throws: `Lowered`, `Unreadable`, `WritingError`, `StoreError`.
    package func save(_ trust: ServerTrust, in server: String) throws {
        let path = try StoreFiles(making: folder).folder + "/" + Self.name
        // Another process may be remembering another server.
        _ = try StoreFiles.checkFile(path + ".lock")
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, StoreFiles.fileMode)
        guard lock >= 0 else { throw WritingError(path: path + ".lock", errorNumber: errno) }
        defer { close(lock) }
        flock(lock, LOCK_EX)
        var texts = try texts(path)
        if let text = texts[server] {
            guard let present = ServerTrust(parsing: text) else { throw Unreadable(path: path) }
            guard present.mayBecome(trust) else { throw Lowered(server: server) }
        }
        texts[server] = trust.description
        let text = try JSONDocument.text(texts, keys: .asNamed, .lines)
        try AtomicFile.write(Array(text.utf8), to: path, mode: StoreFiles.fileMode)
        if case .pinned(let pin) = trust { onFirstUse(server, pin) }
    }

    private func texts(_ path: String) throws -> [String: String] {
        guard try StoreFiles.checkFile(path) else { return [:] }
        guard let length = AtomicFile.length(of: path), length <= Self.sizeLimit,
            let data = try? Data(contentsOf: URL(filePath: path)),
            let texts = try? JSONDocument.value([String: String].self, of: data)
        else { throw Unreadable(path: path) }
        return texts
    }
}
