import Bitcoin
import ByteCodec
import CByteSearch
import Foundation
import TestSupport

/// What the writable memory of a process held at its end, what stood in memory that it gave back before, and what it drew of
/// randomness.
struct MemoryImage {
    /// The writable memory at the end.
    let memory: Data
    /// What stood in memory that was given back. It is chance whether it still stands there at the end.
    let freed: Data
    private let randomness: [UInt8]

    /// What `ProcessFault.recording` had written into a folder.
    init(in folder: TemporaryFolder) throws {
        memory = try Data(contentsOf: folder.url.appendingPathComponent("memory"), options: .alwaysMapped)
        freed = try Data(contentsOf: folder.url.appendingPathComponent("freed"), options: .alwaysMapped)
        // What talks to no card draws nothing.
        randomness = FileManager.default.contents(atPath: folder.path("randomness")).map { Array($0) } ?? []
    }

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
    /// Whether these bytes stand anywhere in it.
    func contains(_ bytes: [UInt8]) -> Bool { standing([bytes])[0] }

    /// Whether each of these sequences, of at least two bytes, stands anywhere in it.
    func standing(_ sequences: [[UInt8]]) -> [Bool] {
        var found = [Bool](repeating: false, count: sequences.count)
        withUnsafeBytes { text in
            byte_search(
                text.baseAddress, text.count, sequences.flatMap(\.self), sequences.map(\.count), found.count, &found)
        }
        return found
    }
}

extension [SoughtSecret] {
    /// The names of those that stand in a text, in any of their forms.
    func names(in text: Data) -> [String] {
        let found = text.standing(flatMap(\.forms))
        let owners = flatMap { secret in secret.forms.map { _ in secret.name } }
        return zip(owners, found).compactMap { $1 ? $0 : nil }
    }
}
