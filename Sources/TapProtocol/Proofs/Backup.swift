import Bitcoin
import ByteCodec
import ExplainedErrors

/// A decrypted TAPSIGNER backup: the master key, and the path at the time.
///
/// Spec: protocol, "Backup file".
public struct Backup: Sendable {
    /// The master key, depth 0.
    public let masterKey: ExtendedPrivateKey
    /// The path when the backup was made, 0–8 hardened steps.
    public let path: DerivationPath
    /// Whether the path's line is terminated, as every card writes it. If not, the path may have been longer; the master
    /// key is complete in any case.
    public let isPathWhole: Bool

    /// Why a backup cannot be opened. Reveals nothing of its content.
    public enum Problem: Sendable, Hashable {
        /// The key has a character that is not a hexadecimal digit, or not 32 of them.
        case keyFormat
        /// The number of hexadecimal digits in a key that someone typed, which are too few or too many.
        case keyLength(Int)
        /// The number of bytes, which are too few or too many.
        case length(Int)
        /// The first line is nothing like an extended private key: the key is wrong, or the file is not a backup.
        case wrongKey
        /// The first line was an extended private key, but is damaged.
        case damaged
        /// The extended private key is not a master key.
        case notMaster
        /// The second line is not a path of at most eight hardened steps.
        case path
        /// The second line is not terminated. The master key can still be used.
        case cutOff
    }

    /// The AES key printed on the card.
    public struct Key: Sendable, CustomStringConvertible {
        let secret: SecretBytes

        /// Parses 32 hexadecimal digits; the caller must wipe the text.
        /// - Throws: `TapError.badBackup(.keyFormat)`.
        public init(hex: some StringProtocol) throws(TapError) {
            guard var bytes = try? Hex.decode(hex), bytes.count == AES128CTR.keyLength else {
                throw .badBackup(.keyFormat)
            }
            secret = SecretBytes(moving: &bytes)
        }

        /// Parses 32 hexadecimal digits as people type them: upper or lower case, in groups separated by spaces, tabs or
        /// dashes. The caller must wipe the line.
        /// - Throws: `TapError.badBackup` with `.keyFormat` or `.keyLength`.
        public init(typed line: [UInt8]) throws(TapError) {
            var digits: [UInt8] = []
            digits.reserveCapacity(line.count)
            defer { digits.wipe() }
            for character in line where !character.isASCIIWhitespace && character != UInt8(ascii: "-") {
                digits.append(character)
            }
            guard digits.allSatisfy(Self.isHexDigit) else { throw .badBackup(.keyFormat) }
            guard digits.count == 2 * AES128CTR.keyLength, var bytes = try? Hex.decode(utf8: digits) else {
                throw .badBackup(.keyLength(digits.count))
            }
            secret = SecretBytes(moving: &bytes)
        }

        private static func isHexDigit(_ character: UInt8) -> Bool {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(character | 0x20)
        }

        /// Always the same text, whatever the key.
        public var description: String { "<backup key>" }
    }

    /// Decrypts and parses a backup.
    /// - Parameter encrypted: as the card returned it; has a backup only from 113 bytes.
    /// - Throws: `TapError.badBackup`.
    public init(decrypting encrypted: EncryptedBackup, key: Key) throws(TapError) {
        // Anything shorter has no room for a master key.
        guard encrypted.bytes.count >= EncryptedBackup.usualLengths.lowerBound else {
            throw .badBackup(.length(encrypted.bytes.count))
        }
        guard var plaintext = AES128CTR.crypt(encrypted.bytes, key: key.secret) else { throw .badBackup(.keyFormat) }
        defer { plaintext.wipe() }
        (masterKey, path, isPathWhole) = try Self.read(plaintext)
    }

    /// Parses the lines; no slice of the plaintext outlives the call, so that it can be wiped.
    private static func read(
        _ plaintext: [UInt8]
    ) throws(TapError) -> (masterKey: ExtendedPrivateKey, path: DerivationPath, isPathWhole: Bool) {
        let lines = plaintext.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count >= 2,
            let masterKey = try? ExtendedPrivateKey(utf8: lines[0])
        else { throw .badBackup(isOpen(plaintext) ? .damaged : .wrongKey) }
        guard masterKey.depth == 0 else { throw .badBackup(.notMaster) }
        guard let path = try? DerivationPath(parsing: String(decoding: lines[1], as: UTF8.self), dialect: .card),
            (try? DeriveCommand(path: path)) != nil
        else { throw .badBackup(.path) }
        return (masterKey, path, lines.count > 2)
    }

    /// Whether the key was right, so that unreadable content means damage. Of 111 bytes decrypted with a wrong key, about
    /// 27 are letters and digits, and never 80.
    private static func isOpen(_ plaintext: [UInt8]) -> Bool {
        plaintext.prefix(masterKeyLength).count { isLetterOrDigit($0) } >= 80
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    /// Characters of a master key's text.
    private static let masterKeyLength = 111

    /// Whether this is the backup of the card with this master key: the same key and the same chain code.
    public func belongs(to master: ExtendedPublicKey) -> Bool { masterKey.neutered == master }
}

extension Backup.Problem {
    var code: ErrorCode {
        switch self {
        case .keyFormat, .keyLength: .badBackupKey
        case .wrongKey: .wrongBackupKey
        case .length, .damaged, .notMaster, .path, .cutOff: .badBackup
        }
    }

    var message: String {
        switch self {
        case .keyFormat: "A backup key has 32 characters: only digits, and letters from A to F."
        case .keyLength(let count): "A backup key has 32 characters; this one has \(count == 0 ? "none" : "\(count)")."
        case .length(let count): "The file is not a backup: it has \(count) bytes."
        case .wrongKey: "The backup cannot be decrypted with this key."
        case .damaged: "The key is right, but the master key in the backup is damaged."
        case .notMaster: "The backup does not contain a master key."
        case .path: "The backup's path is not valid."
        case .cutOff: "The backup is cut off in the middle of its path."
        }
    }

    var remedy: String {
        switch self {
        case .keyFormat, .keyLength: "The key is printed on the back of the card that made the backup."
        case .wrongKey:
            "The key is printed on the back of the card that made the backup. Otherwise, the file is not a backup."
        case .length, .damaged, .notMaster, .path: "The file may be damaged; use another copy."
        case .cutOff: "Use another copy. If there is none, this one still has the complete master key, which can sign."
        }
    }
}
