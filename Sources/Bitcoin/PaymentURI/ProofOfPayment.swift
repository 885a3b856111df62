/// Where the payer's program is asked to report the payment: a URI for another program on the same machine.
///
/// Spec: BIP-321, "Proof of Payment".
public struct ProofOfPayment: Hashable, Sendable {
    static let key = "pop"
    static let requiredKey = "req-pop"

    /// The start of the URI to open; text from outside.
    public let prefix: String
    /// Whether a program that will not open it must not pay.
    public let isRequired: Bool

    /// Schemes that would open a browser or an email, and so reveal the payer to the payee.
    private static let forbiddenSchemes: Set<String> = [
        "http", "https", "file", "javascript", "mailto", "about", "blob", "data", "ftp", "ftps", "vbscript",
        "view-source", "ws", "wss",
    ]

    /// The parameter `pop` or `req-pop`, if there is one.
    init?(in parameters: [PaymentURI.Parameter]) {
        guard let parameter = parameters.first(where: { $0.name == Self.key || $0.name == Self.requiredKey }) else {
            return nil
        }
        prefix = parameter.value ?? ""
        isRequired = parameter.name == Self.requiredKey
    }

    /// The scheme in lower case; `nil` when there is none, or when the prefix has characters that no URI may have.
    public var scheme: String? {
        let bytes = Array(prefix.utf8)
        guard bytes.allSatisfy({ PercentEncoding.isQueryCharacter($0) || "#[]%".utf8.contains($0) }),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let first = bytes.first, PercentEncoding.isAlphanumeric(first), first > UInt8(ascii: "9"),
            bytes[..<colon].allSatisfy({ PercentEncoding.isAlphanumeric($0) || "+-.".utf8.contains($0) })
        else { return nil }
        return String(decoding: bytes[..<colon], as: UTF8.self).asciiLowercased
    }

    /// Whether a program that reports payments may open it: it is a URI, and its scheme does not lead to a browser.
    public var mayBeOpened: Bool { scheme.map { !Self.forbiddenSchemes.contains($0) } ?? false }

    /// What to open after the payment, up to the payment information that follows.
    /// - Parameter instruction: the key of the payment instruction that was paid; `onchain` for the URI's own address.
    /// - Returns: `nil` when it must not be opened.
    public func opening(paidWith instruction: String) -> String? {
        mayBeOpened ? prefix + instruction + "=" : nil
    }
}

extension PaymentURI {
    /// Whether the URI may be paid at all.
    /// - Parameter openingProofs: whether the program opens proofs of payment. If not, it must not pay a URI that requires
    ///   one.
    public func mayBePaid(openingProofs: Bool) -> Bool {
        guard let proofOfPayment, proofOfPayment.isRequired else { return true }
        return openingProofs && proofOfPayment.mayBeOpened
    }
}
