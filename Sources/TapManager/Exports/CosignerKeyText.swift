import Bitcoin
import ByteCodec

/// A cosigner's key as its holder sends it: `[fingerprint/path]xpub…`, or a key record of BIP-129, which the key signed.
package struct CosignerKeyText: Sendable, Hashable {
    /// Why a text is not a cosigner's key.
    package enum Fault: Error, Hashable, Sendable {
        /// The key itself.
        case key(PolicyKeyFault)
        /// There is no line with text, or more than one, and it is not a record.
        case lines(Int)
        /// A record whose signature is not the key's: it was altered.
        case signature
        /// A record that does not have five lines, or is encrypted.
        case record
    }

    /// The key.
    package let key: PolicyKey
    /// What its holder calls it; `nil` if the text does not say.
    package let name: String?

    /// Reads a text.
    /// - Throws: `Fault`.
    ///
    /// Spec: BIP-380, "Key Expressions"; BIP-129, "Round 1".
    package init(parsing text: String) throws(Fault) {
        guard !text.hasEndlessLetter else { throw .key(.key(.encoding)) }
        var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        if lines.first == BSMSKeyRecord.version {
            guard lines.count == Self.recordLineCount else { throw .record }
            key = try Self.key(lines[2])
            let signed = lines.dropLast().joined(separator: "\n")
            let script = ScriptKind.p2pkh.scriptPubKey(for: key.key.publicKey)
            guard
                SignedMessage.verify(message: Array(signed.utf8), scriptPubKey: script, signature: lines[4]).isValid
            else { throw .signature }
            name = lines[3].isEmpty ? nil : lines[3]
            return
        }
        let texts = lines.filter { !$0.allSatisfy(\.isWhitespace) }
        guard let line = texts.first, texts.count == 1 else { throw .lines(texts.count) }
        key = try Self.key(line)
        name = nil
    }

    private static let recordLineCount = 5

    private static func key(_ line: String) throws(Fault) -> PolicyKey {
        // Spaces are not significant around a key, and are allowed nowhere else.
        let start = line.drop { $0.isWhitespace }
        let length = start.reversed().drop { $0.isWhitespace }.count
        do throws(PolicyKeyFault) { return try PolicyKey(parsing: start.prefix(length)) } catch { throw .key(error) }
    }
}
