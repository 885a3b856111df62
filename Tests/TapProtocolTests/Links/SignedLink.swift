import Bitcoin
import ByteCodec

@testable import TapProtocol

/// A link that is put together and signed here, rightly or wrongly.
struct SignedLink {
    static let nonce = "0123456789abcdef"

    var host: String
    /// All before the signature.
    var fields: [String]
    let key: PrivateKey

    /// A TAPSIGNER's or SATSCHIP's.
    static func signer(_ key: PrivateKey, state: String = "S", host: String = "tapsigner.com") -> SignedLink {
        let ident = CardIdent.short(of: key.publicKey)
        return SignedLink(host: host, fields: ["t=1", "u=\(state)", "c=\(ident)", "n=\(nonce)"], key: key)
    }

    /// A SATSCARD's.
    static func slot(
        _ key: PrivateKey, _ index: Int = 0, state: String = "S", network: Network = .main,
        host: String = "getsatscard.com"
    ) -> SignedLink {
        let end = address(of: key, network).suffix(8)
        return SignedLink(
            host: host, fields: ["u=\(state)", "o=\(index)", "r=\(end)", "n=\(nonce)"], key: key)
    }

    static func address(of key: PrivateKey, _ network: Network = .main) -> String {
        Script.p2wpkh(keyHash: key.publicKey.hash160)
            .flatMap { Address(scriptPubKey: $0, network: network) }?.description ?? ""
    }

    /// The link, signed in the order of its fields.
    var text: String {
        get throws {
            let signed = fields.joined(separator: "&") + "&s="
            let signature = key.sign(digest: Digest(hashing: signed.utf8))
            return "https://\(host)/start#\(signed)\(Hex.encode(signature.compact))"
        }
    }
}

extension TapLink {
    /// What it means, whichever spelling of the host it has.
    var meaning: [String] {
        [
            product.rawValue, state.rawValue, "\(subject)", publicKey.description, Hex.encode(nonce),
            String(text.drop { $0 != "#" }),
        ]
    }
}

/// What a text is refused for; `nil` when it is a link.
func linkError(_ text: String) -> TapLinkError? {
    do {
        _ = try TapLink(verifying: text)
        return nil
    } catch { return error }
}
