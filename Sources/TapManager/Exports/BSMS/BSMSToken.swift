import Bitcoin
import ByteCodec

/// The secret that a coordinator shares with signers while a multisig wallet is set up.
///
/// Spec: BIP-129, "The Token".
package enum BSMSToken: Sendable, Hashable {
    /// Records are plain text; the token is `00`.
    case none
    /// Records are encrypted: 8 bytes (STANDARD) or 16 (EXTENDED).
    case secret([UInt8])

    /// Parses hexadecimal digits: `00`, or 8 or 16 bytes; `nil` for anything else.
    package init?(hex text: some StringProtocol) {
        guard let bytes = try? Hex.decode(String(text)) else { return nil }
        switch bytes.count {
        case 1 where bytes == [0]: self = .none
        case 8, 16: self = .secret(bytes)
        default: return nil
        }
    }

    /// The secret's hexadecimal digits; `nil` if there is none.
    var shared: String? { if case .secret = self { hex } else { nil } }

    /// Lower-case hexadecimal digits, as in a key record.
    package var hex: String {
        switch self {
        case .none: "00"
        case .secret(let bytes): Hex.encode(bytes)
        }
    }
}

extension BSMSToken {
    private static let macLength = 32
    private static let counterLength = 16

    /// The 32-byte key, from 2048 rounds of PBKDF2; `nil` without encryption.
    ///
    /// Spec: BIP-129, "Key Derivation".
    var encryptionKey: SecretBytes? {
        guard case .secret(let bytes) = self else { return nil }
        return PBKDF2SHA512.derive(
            password: Array("No SPOF".utf8), salt: bytes, iterations: 2048, length: AES256CTR.keyLength)
    }

    /// A record for sending: with a secret token in hexadecimal, MAC and ciphertext; otherwise unchanged.
    ///
    /// Spec: BIP-129, "Encryption Scheme".
    package func sealed(_ record: String) -> String {
        guard let key = encryptionKey else { return record }
        let mac = code(of: Array(record.utf8), key)
        let counter = Array(mac.prefix(Self.counterLength))
        return Hex.encode(mac + (AES256CTR.crypt(Array(record.utf8), key: key, counter: counter) ?? []))
    }

    /// A record that was received; `nil` if it was altered, has a different token, or is not text.
    package func opened(_ text: String) -> String? {
        guard let key = encryptionKey else { return text }
        let digits = text.filter { !$0.isWhitespace }
        guard let bytes = try? Hex.decode(digits), bytes.count > Self.macLength else { return nil }
        let mac = Array(bytes.prefix(Self.macLength))
        let counter = Array(mac.prefix(Self.counterLength))
        guard let record = AES256CTR.crypt(Array(bytes.dropFirst(Self.macLength)), key: key, counter: counter),
            // Anyone who could measure how long this takes would already have the file.
            code(of: record, key) == mac
        else { return nil }
        return String(validating: record, as: UTF8.self)
    }

    private func code(of record: [UInt8], _ key: SecretBytes) -> [UInt8] {
        let macKey = SecretBytes(key.withBytes { SHA256.hash($0) })
        return HMACSHA256.authenticate(key: macKey, message: Array(hex.utf8) + record)
    }
}
