import Bitcoin
import ByteCodec
import Foundation
import TestSupport

/// What the writable memory of a process held at its end, what stood in memory that it gave back before, and what it drew of
/// randomness.
struct MemoryImage {
    private let memory: Data
    private let freed: Data
    private let randomness: [UInt8]

    /// What `ProcessFault.recording` had written into a folder.
    init(in folder: TemporaryFolder) throws {
        memory = try Data(contentsOf: folder.url.appendingPathComponent("memory"), options: .alwaysMapped)
        freed = try Data(contentsOf: folder.url.appendingPathComponent("freed"), options: .alwaysMapped)
        // What talks to no card draws nothing.
        randomness = FileManager.default.contents(atPath: folder.path("randomness")).map { Array($0) } ?? []
    }

    /// Whether these bytes were left in memory that was given back. It is chance whether they still stand there at the end.
    func wasLeft(_ bytes: [UInt8]) -> Bool { freed.contains(bytes) }

    /// Whether these bytes stand anywhere.
    func contains(_ bytes: [UInt8]) -> Bool { memory.contains(bytes) }

    /// The secrets of single commands: ephemeral keys, and the session keys that host and card made of them.
    ///
    /// The process drew its ephemeral keys from the system; those whose public key passed in a trace are the ones that
    /// it used.
    func sessionSecrets(cardKey: PublicKey, trace: String) throws -> (ephemeral: [[UInt8]], session: [[UInt8]]) {
        let name = Hex.encode([0x67] + Array("epubkey".utf8) + [0x58, 0x21])
        let sent = Set(
            trace.split(separator: "\n").compactMap { line in
                line.range(of: name).map { String(line[$0.upperBound...].prefix(66)) }
            })
        // Swift draws eight bytes for each byte of a key, and takes the lowest.
        let drawn = stride(from: 0, to: randomness.count, by: 8).map { randomness[$0] }
        var secrets: (ephemeral: [[UInt8]], session: [[UInt8]]) = ([], [])
        for start in stride(from: 0, through: drawn.count - PrivateKey.length, by: 1) {
            let candidate = Array(drawn[start..<start + PrivateKey.length])
            guard let key = try? PrivateKey(SecretBytes(candidate)), sent.contains(Hex.encode(key.publicKey.bytes))
            else { continue }
            secrets.ephemeral.append(candidate)
            secrets.session.append(try key.sharedSecret(with: cardKey).withBytes { Array($0) })
        }
        return secrets
    }
}

/// A secret, and the forms in which it might stand somewhere.
struct SoughtSecret {
    /// What it is, for messages, which must not show it.
    let name: String
    let forms: [[UInt8]]

    /// A key, or other bytes that no text has by chance.
    init(_ name: String, bytes: [UInt8]) {
        self.name = name
        let hex = Hex.encode(bytes)
        // Base64 has three ways to begin, depending on what stands in front.
        let base64 = (0..<3).map { lead in
            let text = Data([UInt8](repeating: 0, count: lead) + bytes).base64EncodedString()
            return Array(text.utf8.dropFirst(lead == 0 ? 0 : lead + 1).prefix(40))
        }
        forms = [bytes, Array(hex.utf8), Array(hex.uppercased().utf8), bytes.reversed()] + base64
    }

    /// A text, such as a CVC or an extended key.
    init(_ name: String, text: String) {
        self.name = name
        let bytes = Array(text.utf8)
        forms = [bytes, Array(Hex.encode(bytes).utf8), Array(Data(bytes).base64EncodedString().utf8)]
    }
}

extension Data {
    private typealias Search = @convention(c) (UnsafeRawPointer, Int, UnsafeRawPointer, Int) -> UnsafeRawPointer?

    /// The C library's `memmem`, which it hides from Swift.
    private static let search = dlsym(nil, "memmem").map { unsafeBitCast($0, to: Search.self) }

    /// Whether these bytes stand anywhere in it.
    func contains(_ bytes: [UInt8]) -> Bool {
        withUnsafeBytes { all in
            guard let start = all.baseAddress, let search = Self.search else { return true }
            return search(start, all.count, bytes, bytes.count) != nil
        }
    }
}
