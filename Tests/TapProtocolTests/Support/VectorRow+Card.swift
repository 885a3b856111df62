import Bitcoin
import ByteCodec
import TestSupport
import Testing

@testable import TapProtocol

/// The card maker's vectors.
enum CardVectors {
    /// The rows of one kind.
    static func rows(_ kind: String) throws -> [VectorRow] { try Vectors.load("coinkite/cktap.json", kinds: [kind]) }

    /// The key of the vectors' card.
    static var cardKey: PrivateKey {
        get throws {
            let row = try #require(try rows("xcvc").first)
            return try PrivateKey(SecretBytes(try row.bytes("card_private_key")))
        }
    }

    /// The ephemeral key of every authenticated vector.
    static var ephemeralSecret: [UInt8] {
        get throws { try #require(try rows("xcvc").first).bytes("ephemeral_private_key") }
    }

    /// The status of the vectors' card as a map, with a nonce and a path.
    static func status(
        nonce: [UInt8], path: String? = "m/84h/0h/0h", isSatscard: Bool = false
    ) throws -> CBORMap {
        var map: CBORMap = [
            "proto": .unsigned(1), "ver": .text("1.0.3"), "birth": .unsigned(700_553),
            "pubkey": .bytes(try cardKey.publicKey.bytes), "card_nonce": .bytes(nonce),
        ]
        if isSatscard {
            map["slots"] = .array([.unsigned(0), .unsigned(10)])
            return map
        }
        map["tapsigner"] = .bool(true)
        map["num_backups"] = .unsigned(3)
        if let path {
            map["path"] = .array(
                try DerivationPath(parsing: path).steps.map { .unsigned(UInt64($0.rawValue)) })
        }
        return map
    }
}

extension VectorRow {
    /// The CBOR map at a key that holds hexadecimal digits.
    func map(_ key: String) throws -> CBORMap {
        guard case .map(let map) = try CBORDecoder.decode(try bytes(key)) else {
            throw CBORDecoder.DecodingError.truncated
        }
        return map
    }
}
